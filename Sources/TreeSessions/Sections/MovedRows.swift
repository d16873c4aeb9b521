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

extension [MovedRows] {
  /// The rows that are in none of some ascending runs of rows after; all are ascending.
  func subtracting(_ runs: [Range<Int>]) -> [MovedRows] {
    let sorted = self.sorted { $0.rows.lowerBound < $1.rows.lowerBound }
    var rest: [MovedRows] = []
    var others = runs[...]
    for run in sorted {
      var run = run
      while let other = others.first, other.lowerBound < run.rows.upperBound {
        let before = run.split(at: other.lowerBound).before
        if !before.rows.isEmpty { rest.append(before) }
        run = run.split(at: other.upperBound).after
        if other.upperBound > run.rows.upperBound { break }
        others.removeFirst()
      }
      if !run.rows.isEmpty { rest.append(run) }
    }
    return rest
  }

  /// Returns true if a row after is in one of the runs, which are ascending.
  ///
  /// - Complexity: O(log *k*) for *k* runs.
  func contains(row: Int) -> Bool {
    let place = firstPlace(endingBehind: row)
    return place < count && self[place].rows.contains(row)
  }

  /// The place of the first of the runs, which are ascending, that does not end before a row after.
  ///
  /// - Complexity: O(log *k*) for *k* runs.
  func firstPlace(endingBehind row: Int) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if self[middle].rows.upperBound <= row { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
