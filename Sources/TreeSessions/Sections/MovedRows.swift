/// Adjacent rows that were also adjacent before the changes.
struct MovedRows {
  /// A function that returns the row of a row's parent, and the end of the row's descendants.
  ///
  /// The end is nil in breadth-first order, where the descendants do not follow the row.
  typealias Family = (_ row: Int) -> (parent: Int, end: Int?)

  /// The new rows.
  var rows: Range<Int>
  /// The first of the old rows.
  var source: Int

  init(_ rows: Range<Int>, from source: Int) {
    self.rows = rows
    self.source = source
  }

  /// The end of the old rows.
  var sourceEnd: Int { source + rows.count }

  /// Returns the part before a new row, and the part from that row on.
  func split(at row: Int) -> (before: MovedRows, after: MovedRows) {
    let row = min(max(row, rows.lowerBound), rows.upperBound)
    return (
      MovedRows(rows.lowerBound..<row, from: source),
      MovedRows(row..<rows.upperBound, from: source + row - rows.lowerBound)
    )
  }
}

extension [MovedRows] {
  /// Returns the rows outside of some ascending ranges of new rows.
  ///
  /// The result is ascending.
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

  /// Returns true if a new row is in one of the runs.
  ///
  /// - Precondition: The runs are ascending.
  /// - Complexity: O(log *k*) for *k* runs.
  func contains(row: Int) -> Bool {
    let place = firstPlace(endingBehind: row)
    return place < count && self[place].rows.contains(row)
  }

  /// Returns the index of the first run that ends after a new row.
  ///
  /// - Precondition: The runs are ascending.
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
