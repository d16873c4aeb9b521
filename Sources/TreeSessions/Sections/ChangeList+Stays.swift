import TreeEngine

// Rows and sections without entries in a change list.
extension ChangeList {
  /// Returns true if a section was inserted or moved.
  func placesSections(of new: SectionRows) -> Bool {
    new.headers.contains(where: places)
  }

  /// Returns true if the row at a new index was inserted or moved.
  private func places(_ newIndex: Int) -> Bool {
    var low = 0
    var high = placements.count
    while low < high {
      let middle = (low + high) / 2
      if placements[middle].newIndex <= newIndex { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return false }
    return newIndex < placements[low - 1].newIndex + placements[low - 1].count
  }

  /// Visits the runs of rows that were not inserted, deleted or moved, in order.
  ///
  /// - Complexity: O(*k* log *k*) for *k* entries.
  func forEachStay(rowCount: Int, _ body: (MovedRows) -> Void) {
    var gone = deletions.map { $0.index..<($0.index + $0.count) }
    for placement in placements {
      if let index = placement.index { gone.append(index..<(index + placement.count)) }
    }
    gone.sort { $0.lowerBound < $1.lowerBound }
    var (row, source) = (0, 0)
    var (goneRuns, come) = (gone[...], placements[...])
    while true {
      let left = goneRuns.first.map { $0.lowerBound - source }
      let right = come.first?.newIndex ?? rowCount
      let count = min(left ?? .max, right - row)
      if count > 0 { body(MovedRows(row..<(row + count), from: source)) }
      (row, source) = (row + count, source + count)
      if let run = goneRuns.first, run.lowerBound == source {
        source = run.upperBound
        goneRuns.removeFirst()
      } else if let placement = come.first, placement.newIndex == row {
        row += placement.count
        come.removeFirst()
      } else {
        return
      }
    }
  }
}
