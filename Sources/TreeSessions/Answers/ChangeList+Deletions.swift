import TreeEngine

extension ChangeList {
  /// How many rows there were, given how many there are.
  func rowCountBefore(_ rowCount: Int) -> Int {
    let gone = deletions.reduce(0) { $0 + $1.count }
    let come = placements.reduce(0) { $0 + ($1.index == nil ? $1.count : 0) }
    return rowCount + gone - come
  }

  /// Rows that are no more, as runs by descending index, those that are neighbours joined whether
  /// their nodes were listed or not.
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

  /// The node of a row that is no more; nil where it was not listed.
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
    // Nodes are listed from the last row up.
    let place = deletions[low].index + deletions[low].count - 1 - row
    return place < 0 ? nil : deletedNodes[nodes.lowerBound + place]
  }
}
