// Positions and depths of rows before the transaction.
extension DeltaReading {
  /// Finds the former index and depth of a row.
  ///
  /// - Parameters:
  ///   - row: The row as it is now.
  ///   - newIndex: Its present index.
  ///   - place: The index of the stretch where the search starts: 0, or as an earlier row left it.
  ///     It is set to the stretch of this row, unless the row has returned.
  /// - Returns: The former index and depth, or nil if it was not a row.
  /// - Complexity: O(log *r* + log *d*) for *r* returned rows and a distance of *d* stretches.
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

  /// The two halves of an unlisted move; nil unless both exist.
  ///
  /// A single half is a deletion or an insertion: the rows moved to or from a hidden place.
  var unlistedMove: (source: Stretch, target: Stretch)? {
    guard let source = unlisted.first(where: \.isMoveHalf),
      let target = stretches.first(where: { $0.isInserted && $0.isMoveHalf })
    else { return nil }
    return (source, target)
  }

  /// The nodes of all rows that were removed and inserted again.
  var returnedNodes: some Sequence<NodeID> { returned.lazy.map(\.node) }

  /// Returns the row that was inserted again at an index, or nil.
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
