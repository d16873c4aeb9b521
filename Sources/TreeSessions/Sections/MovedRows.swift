/// Consecutive rows of a section that were consecutive before.
struct MovedRows {
  /// What is around a row: the row of its parent, and where the rows below it end; nil where those
  /// do not follow it, in breadth-first order.
  typealias Family = (_ row: Int) -> (parent: Int, end: Int?)

  /// The rows after.
  var rows: Range<Int>
  /// The first of the rows before.
  var source: Int

  init(_ rows: Range<Int>, from source: Int) {
    self.rows = rows
    self.source = source
  }

  /// Where the rows before end.
  var sourceEnd: Int { source + rows.count }

  /// Those from a row after on, and those before it.
  func split(at row: Int) -> (before: MovedRows, after: MovedRows) {
    let row = min(max(row, rows.lowerBound), rows.upperBound)
    return (
      MovedRows(rows.lowerBound..<row, from: source),
      MovedRows(row..<rows.upperBound, from: source + row - rows.lowerBound)
    )
  }

  /// The same, a row each.
  var singleRows: [MovedRows] {
    rows.map { MovedRows($0..<($0 + 1), from: source + $0 - rows.lowerBound) }
  }
}

/// Rows that move by themselves, with which moves what is below them; to be told in order.
struct Movers {
  /// In pre-order, where what is below them ends.
  private var end = 0
  /// In breadth-first order, the rows.
  private var rows: Set<Int> = []

  /// Adds rows.
  ///
  /// - Complexity: O(*d*) looks for rows at depth *d*.
  mutating func add(_ part: MovedRows, _ family: MovedRows.Family) {
    guard !part.rows.isEmpty else { return }
    var around = family(part.rows.upperBound - 1)
    // The one of them that all others behind are below, if any is, is above the last one.
    while around.end != nil, around.parent >= part.rows.lowerBound {
      around = family(around.parent)
    }
    if let end = around.end { self.end = max(self.end, end) } else { rows.formUnion(part.rows) }
  }

  /// The rows of a part that are not below them.
  mutating func rest(of part: MovedRows, _ family: MovedRows.Family) -> MovedRows {
    let rest = part.split(at: end).after
    guard !rows.isEmpty, let row = rest.rows.first, rows.contains(family(row).parent) else {
      return rest
    }
    add(rest, family)
    return rest.split(at: rest.rows.upperBound).after
  }
}
