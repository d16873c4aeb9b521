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

  /// Those before a row after, and those from it on.
  func split(at row: Int) -> (before: MovedRows, after: MovedRows) {
    let row = min(max(row, rows.lowerBound), rows.upperBound)
    return (
      MovedRows(rows.lowerBound..<row, from: source),
      MovedRows(row..<rows.upperBound, from: source + row - rows.lowerBound)
    )
  }
}
