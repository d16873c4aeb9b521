// Where rows were before, and how deep.
extension DeltaReading {
  /// Where rows were before, in the same order; nil for those that were none.
  ///
  /// - Precondition: they ascend.
  /// - Complexity: O(*k* + rows), and O(log *k*) for each in what came back.
  func indexes(ofNew newIndexes: [Int32]) -> [Int32?] {
    var place = 0
    return newIndexes.map { newIndex in
      if let row = returned(at: newIndex) { return row.index }
      while place + 1 < retained.count, retained[place + 1].newIndex <= newIndex { place += 1 }
      return index(ofNew: newIndex, retainedAt: place)
    }
  }

  /// Where a row was that did not come back, given the last retained rows that begin at or before
  /// it.
  private func index(ofNew newIndex: Int32, retainedAt place: Int) -> Int32? {
    if !retained.isEmpty {
      let stretch = retained[place]
      let offset = newIndex - stretch.newIndex
      if offset >= 0, offset < stretch.count { return stretch.index + offset }
    }
    guard let (source, target) = unlistedMove else { return nil }
    let offset = newIndex - target.newIndex
    return offset >= 0 && offset < target.count ? source.index + offset : nil
  }

  /// The two halves of a move that was not listed.
  ///
  /// One alone is a move into or out of hiding, which is a deletion or an insertion.
  var unlistedMove: (source: Stretch, target: Stretch)? {
    guard let source = unlisted.first(where: \.isMoveHalf),
      let target = inserted.first(where: \.isMoveHalf)
    else { return nil }
    return (source, target)
  }

  /// The nodes of all rows that were taken out and came back.
  var returnedNodes: some Sequence<NodeID> { returned.lazy.map(\.node) }

  /// How deep a row was that came back; nil when it did not.
  func depth(ofReturned newIndex: Int32) -> Int32? { returned(at: newIndex)?.depthBefore }

  /// The row that came back to an index, if one did.
  private func returned(at newIndex: Int32) -> ReturnedRow? {
    var low = 0
    var high = returned.count
    while low < high {
      let middle = (low + high) / 2
      if returned[middle].newIndex < newIndex { low = middle + 1 } else { high = middle }
    }
    guard low < returned.count, returned[low].newIndex == newIndex else { return nil }
    return returned[low]
  }
}
