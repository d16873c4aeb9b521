// Where rows were before, and how deep.
extension DeltaReading {
  /// Where a row was before, and how deep; nil where it was none.
  ///
  /// - Parameters:
  ///   - row: the row as it is now.
  ///   - newIndex: its index.
  ///   - place: of the stretches, the one that an earlier row is in, or the first one; then the one
  ///     that this row is in.
  /// - Returns: its index and depth then.
  /// - Complexity: O(log *k*), for what came back and for the distance between the two rows.
  func before(
    _ row: Listed,
    at newIndex: Int32,
    in place: inout Int
  ) -> (index: Int32, depth: Int32)? {
    if let row = returned(at: newIndex) { return (row.index, row.depthBefore) }
    place = self.place(ofStretchAt: newIndex, from: place)
    let stretch = stretches[place]
    let offset = newIndex - stretch.newIndex
    guard stretch.isInserted else { return (stretch.index + offset, row.depth) }
    guard stretch.isMoveHalf, let source = unlistedMove?.source else { return nil }
    return (source.index + offset, row.depth)
  }

  /// The two halves of a move that was not listed.
  ///
  /// One alone is a move into or out of hiding, which is a deletion or an insertion.
  var unlistedMove: (source: Stretch, target: Stretch)? {
    guard let source = unlisted.first(where: \.isMoveHalf),
      let target = stretches.first(where: { $0.isInserted && $0.isMoveHalf })
    else { return nil }
    return (source, target)
  }

  /// The nodes of all rows that were taken out and came back.
  var returnedNodes: some Sequence<NodeID> { returned.lazy.map(\.node) }

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
