/// Rows that move and take their descendants along.
///
/// They must be added in ascending order.
struct Movers {
  private let isInPreOrder: Bool
  /// The end of all descendants so far; used in pre-order only.
  private var end = 0
  /// The rows and the descendants that were found; used in breadth-first order only.
  private var rows: Set<Int> = []

  /// Makes an empty set.
  ///
  /// - Parameter isInPreOrder: True if the descendants of a row follow it.
  init(isInPreOrder: Bool) { self.isInPreOrder = isInPreOrder }

  /// Adds rows.
  ///
  /// - Complexity: In pre-order, O(*d*) calls of `family` for rows at depth *d*; otherwise O(rows).
  mutating func add(_ part: MovedRows, _ family: MovedRows.Family) {
    guard isInPreOrder else { return rows.formUnion(part.rows) }
    var around = family(part.rows.upperBound - 1)
    // The topmost ancestor of the last row within the part has the last descendant of all.
    while around.parent >= part.rows.lowerBound { around = family(around.parent) }
    end = max(end, around.end ?? part.rows.upperBound)
  }

  /// Returns the rows of a part that are no descendants of the movers.
  ///
  /// - Parameters:
  ///   - part: The rows.
  ///   - more: Rows of the part that move as well, ascending.
  ///   - family: The family of a row.
  /// - Returns: The remaining parts, none of them empty.
  mutating func rest(
    of part: MovedRows,
    moving more: ArraySlice<Int> = [],
    _ family: MovedRows.Family
  ) -> [MovedRows] {
    var found: [MovedRows] = []
    var rest = part.split(at: end).after
    func keep(to row: Int) {
      let before = rest.split(at: row).before
      if !before.rows.isEmpty { found.append(before) }
    }
    if isInPreOrder {
      for row in more where rest.rows.contains(row) {
        keep(to: row)
        add(MovedRows(row..<(row + 1), from: 0), family)
        rest = rest.split(at: end).after
      }
    } else if !rows.isEmpty || !more.isEmpty {
      rows.formUnion(more)
      for row in part.rows where rows.contains(row) || rows.contains(family(row).parent) {
        keep(to: row)
        rows.insert(row)
        rest = rest.split(at: row + 1).after
      }
    }
    keep(to: rest.rows.upperBound)
    return found
  }
}
