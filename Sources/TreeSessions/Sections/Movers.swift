/// Rows that move by themselves, with which moves what is below them; to be told in order.
struct Movers {
  private let isInPreOrder: Bool
  /// In pre-order, where what is below them ends.
  private var end = 0
  /// In breadth-first order, they and what is below them.
  private var rows: Set<Int> = []

  /// None.
  ///
  /// - Parameter isInPreOrder: Whether what is below a row follows it.
  init(isInPreOrder: Bool) { self.isInPreOrder = isInPreOrder }

  /// Adds rows.
  ///
  /// - Complexity: In pre-order O(*d*) looks for rows at depth *d*, else O(rows).
  mutating func add(_ part: MovedRows, _ family: MovedRows.Family) {
    guard isInPreOrder else { return rows.formUnion(part.rows) }
    var around = family(part.rows.upperBound - 1)
    // The one of them that all others behind are below, if any is, is above the last one.
    while around.parent >= part.rows.lowerBound { around = family(around.parent) }
    end = max(end, around.end ?? part.rows.upperBound)
  }

  /// The rows of a part that are not below them.
  ///
  /// - Parameters:
  ///   - part: The rows.
  ///   - more: Some of them that move by themselves, too, ascending.
  ///   - family: What is around a row.
  /// - Returns: Those that are left, none of them empty.
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
