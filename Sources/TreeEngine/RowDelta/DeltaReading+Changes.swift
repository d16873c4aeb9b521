// The effect on rows as entries of a change list.
extension DeltaReading {
  /// Returns the deletions, insertions and moves in order, with runs merged.
  ///
  /// - Throws: The error that `count` throws.
  /// - Complexity: O(*k* + *m* log *m*) for *k* stretches and *m* moves.
  func structuralChanges(counting count: StepCounter) throws(Interruption) -> ChangeList {
    var list = ChangeList()
    try count(gone.count + unlisted.count)
    if !gone.isEmpty || !unlisted.isEmpty { addDeletions(to: &list) }
    guard insertedCount > 0 || !moves.isEmpty else { return list }
    try count(stretches.count + returned.count + Self.stepsPerMove * moves.count)
    var placements = insertions()
    if !moves.isEmpty {
      placements += moves.lazy.map {
        ChangeList.Placement(index: Int($0.index), newIndex: Int($0.newIndex), count: 1)
      }
      placements.sort { $0.newIndex < $1.newIndex }
      list.reparented = moves.lazy.filter { !$0.isSame }.map { Int($0.newIndex) }
    }
    list.placements = ShortList(Self.joined(placements))
    return list
  }

  /// The approximate number of steps to sort a move among the insertions.
  private static var stepsPerMove: Int { 4 }

  /// Merges adjacent placements whose former indexes are also adjacent.
  ///
  /// - Precondition: They are in order.
  private static func joined(_ placements: [ChangeList.Placement]) -> [ChangeList.Placement] {
    guard placements.count > 1 else { return placements }
    var joined: [ChangeList.Placement] = []
    for placement in placements {
      guard let last = joined.last, last.newIndex + last.count == placement.newIndex,
        last.index.map({ $0 + last.count }) == placement.index
      else {
        joined.append(placement)
        continue
      }
      joined[joined.count - 1].count += placement.count
    }
    return joined
  }

  private func addDeletions(to list: inout ChangeList) {
    for (index, node) in gone.reversed() {
      list.deletedNodes.append(node)
      let place = list.deletedNodes.count - 1
      if let last = list.deletions.last, last.index == Int(index) + 1, let nodes = last.nodes {
        list.deletions[list.deletions.count - 1] = ChangeList.Deletion(
          index: Int(index),
          count: last.count + 1,
          nodes: nodes.lowerBound..<(place + 1)
        )
      } else {
        list.deletions.append(
          ChangeList.Deletion(index: Int(index), count: 1, nodes: place..<(place + 1))
        )
      }
    }
    let isMove = unlistedMove != nil
    for stretch in unlisted where !(isMove && stretch.isMoveHalf) {
      list.deletions.append(
        ChangeList.Deletion(index: Int(stretch.index), count: Int(stretch.count), nodes: nil)
      )
    }
    if list.deletions.count > 1 { list.deletions.sort { $0.index > $1.index } }
  }

  /// Returns the inserted rows that are not returned ones, and the target of an unlisted move.
  private func insertions() -> [ChangeList.Placement] {
    var found: [ChangeList.Placement] = []
    let source = unlistedMove?.source.index
    var next = 0
    for stretch in stretches where stretch.isInserted {
      let end = stretch.newIndex + stretch.count
      var start = stretch.newIndex
      while start < end {
        let isReturned = next < returned.count && returned[next].newIndex < end
        let stop = isReturned ? returned[next].newIndex : end
        if start < stop {
          found.append(
            ChangeList.Placement(
              index: stretch.isMoveHalf ? source.map { Int($0) } : nil,
              newIndex: Int(start),
              count: Int(stop - start)
            )
          )
        }
        if stop < end { next += 1 }
        start = stop < end ? stop + 1 : end
      }
    }
    return found
  }
}
