import TreeEngine

extension ChangeList {
  /// Returns the number of rows before the changes, given the number after them.
  func rowCountBefore(_ rowCount: Int) -> Int {
    let gone = deletions.reduce(0) { $0 + $1.count }
    let come = placements.reduce(0) { $0 + ($1.index == nil ? $1.count : 0) }
    return rowCount + gone - come
  }

  /// The ranges of deleted rows, by descending index.
  ///
  /// Adjacent ranges are joined.
  var deletedRuns: [Range<Int>] {
    var runs: [Range<Int>] = []
    for deletion in deletions {
      let run = deletion.index..<(deletion.index + deletion.count)
      if let last = runs.last, last.lowerBound == run.upperBound {
        runs[runs.count - 1] = run.lowerBound..<last.upperBound
      } else {
        runs.append(run)
      }
    }
    return runs
  }

  /// Returns the node of a deleted row; nil if it is not listed.
  ///
  /// - Complexity: O(log *k*) for *k* deletions.
  func deletedNode(at row: Int) -> NodeID? {
    var low = 0
    var high = deletions.count
    while low < high {
      let middle = (low + high) / 2
      if deletions[middle].index > row { low = middle + 1 } else { high = middle }
    }
    guard low < deletions.count, let nodes = deletions[low].nodes else { return nil }
    // Nodes are listed in descending order of rows.
    let place = deletions[low].index + deletions[low].count - 1 - row
    return place < 0 ? nil : deletedNodes[nodes.lowerBound + place]
  }
}
