/// Reads a ``RowDelta`` out into what happened to each row in the end.
///
/// A listed row that was taken out and is a row again came back. It came back *to its place* when
/// its depth and parent are what they were, the same retained rows stand before it as did then, and
/// it is in order with the others of which that is true.
///
/// A transaction is told by its *movers*: rows move only at and below nodes that its
/// operations moved. However rows went and came in between, and whoever reads it out when, the list
/// is the same. What several did is told with the fewest moves, whoever was moved.
struct DeltaReading<Width: NodeWidth>: ~Copyable {
  typealias Listed = RowDelta<Width>.Listed
  typealias RowsNow = (_ newIndex: Int32, _ count: Int32) -> [Listed]

  struct Stretch {
    var index: Int32
    var newIndex: Int32
    var count: Int32
    /// Retained rows before it, which names the gap between them.
    var gap: Int32
    var isInserted = false
    var isMoveHalf = false
  }

  /// The rows of now in order, those that never were taken out and those that were put in.
  var stretches: [Stretch] = []
  /// How many of them were put in.
  var insertedCount = 0
  /// Rows taken out, unlisted.
  var unlisted: [Stretch] = []
  /// Rows taken out, listed: one entry a row, ascending.
  var removed: [(index: Int32, row: Listed, gap: Int32)] = []
  /// Rows that came back, by ascending new index.
  var returned: [ReturnedRow] = []
  /// Rows that have another place.
  private var moves: [ReturnedRow] = []
  private var isReordering = false
  /// The nodes that may move, with what is below them; nil for all.
  private let movers: NodeSet?
  var gone: [(index: Int32, node: NodeID)] = []

  /// - Parameters:
  ///   - delta: what to read out.
  ///   - movers: the nodes that operations moved; nil where it is not one transaction's.
  ///   - rowsNow: consecutive rows as they are now, by the first one's index.
  ///   - rowNow: a node's row as it is now and its index, or nil when it is none.
  /// - Complexity: O((*k* + *d*) log *n*) for *k* runs and *d* listed rows.
  init(
    _ delta: RowDelta<Width>,
    movers: NodeSet?,
    rowsNow: RowsNow,
    rowNow: (NodeID) -> (index: Int32, row: Listed)?
  ) {
    self.movers = movers
    take(delta)
    settle(rowsNow, rowNow)
  }

  /// Reads out what happened to so many rows, where that is no more than a few splices.
  ///
  /// - Parameters:
  ///   - splices: what happened.
  ///   - rowCount: how many rows there were before.
  ///   - movers: as above.
  ///   - rowsNow: as above.
  ///   - rowNow: as above.
  /// - Complexity: O(*d* log *n*) for *d* listed rows.
  init(
    _ splices: FewSplices<Width>,
    rowCount: Int32,
    movers: NodeSet?,
    rowsNow: RowsNow,
    rowNow: (NodeID) -> (index: Int32, row: Listed)?
  ) {
    self.movers = movers
    if !take(splices, rowCount: rowCount) {
      var delta = RowDelta<Width>(rowCount: rowCount)
      delta.apply(splices)
      take(delta)
    }
    settle(rowsNow, rowNow)
  }

  /// Takes over the runs of a delta.
  private mutating func take(_ delta: RowDelta<Width>) {
    isReordering = delta.isReordering
    var before: Int32 = 0
    delta.forEach { run, index, newIndex in
      var stretch = Stretch(index: index, newIndex: newIndex, count: run.count, gap: before)
      stretch.isMoveHalf = run.isMoveHalf
      switch run.kind {
      case .retained:
        stretches.append(stretch)
        before += run.count
      case .inserted:
        add(inserted: stretch)
      case .deleted where run.list < 0:
        unlisted.append(stretch)
      case .deleted:
        let rows = Int(run.list)..<Int(run.list + run.count)
        remove(delta.listed[rows], at: stretch)
      }
    }
  }

  /// Takes note of rows that were put in.
  mutating func add(inserted stretch: Stretch) {
    stretches.append(stretch)
    stretches[stretches.count - 1].isInserted = true
    insertedCount += 1
  }

  /// Takes note of listed rows that a run took out.
  mutating func remove(_ rows: ArraySlice<Listed>, at stretch: Stretch) {
    for (offset, row) in rows.enumerated() {
      removed.append((stretch.index + Int32(offset), row, stretch.gap))
    }
  }

  /// Tells what came back from what is gone, and what moved.
  private mutating func settle(
    _ rowsNow: RowsNow,
    _ rowNow: (NodeID) -> (index: Int32, row: Listed)?
  ) {
    guard !removed.isEmpty else { return }
    settleReturns(rowsNow, rowNow)
    moves = ReturnedRow.moved(of: returned, isReordering: isReordering, movers: movers)
  }

  /// How many retained rows are looked at for moves that would be fewer.
  private static var mostRetained: Int { 4_096 }

  /// Lets rows that never were taken out move instead of those that were, where fewer do then.
  ///
  /// Of *A B C* become *C A B* it is all the same by which steps: one row moved. Only rows between
  /// the first and the last change can have a part in that.
  ///
  /// - Parameter rowsNow: consecutive rows as they are now, by the first one's index.
  /// - Complexity: O(*r* log *r*) for *r* rows in between, if they are not too many.
  mutating func moveFewest(rowsNow: RowsNow) {
    guard moves.contains(where: \.isSame) else { return }
    let between = stretches.filter { stretch in
      let isFirst = stretch.index == 0 && stretch.newIndex == 0
      return !stretch.isInserted && !isFirst
    }
    guard between.reduce(0, { $0 + Int($1.count) }) <= Self.mostRetained else { return }
    var rows = returned
    for index in rows.indices { rows[index].gap = rows[index].isSame ? 0 : nil }
    for stretch in between {
      for (offset, row) in rowsNow(stretch.newIndex, stretch.count).enumerated() {
        rows.append(
          ReturnedRow(
            index: stretch.index + Int32(offset),
            newIndex: stretch.newIndex + Int32(offset),
            node: row.node,
            parent: row.parent,
            depthBefore: row.depth,
            gap: 0
          )
        )
      }
    }
    rows.sort { $0.newIndex < $1.newIndex }
    let fewer = ReturnedRow.moved(of: rows, isReordering: isReordering, movers: nil)
    if fewer.count < moves.count { moves = fewer }
  }

  /// What a row of now is part of.
  func stretch(at newIndex: Int32) -> Stretch {
    stretches[place(ofStretchAt: newIndex, among: stretches.indices)]
  }

  /// Which stretch a row of now is part of.
  ///
  /// - Parameters:
  ///   - newIndex: the row.
  ///   - start: the stretch itself, or one before it.
  /// - Returns: its place in ``stretches``.
  /// - Complexity: O(log *d*) for a distance of *d* stretches.
  func place(ofStretchAt newIndex: Int32, from start: Int) -> Int {
    var low = start
    var step = 1
    while low + step < stretches.count, stretches[low + step].newIndex <= newIndex {
      low += step
      step *= 2
    }
    return place(ofStretchAt: newIndex, among: low..<min(low + step, stretches.count))
  }

  private func place(ofStretchAt newIndex: Int32, among places: Range<Int>) -> Int {
    var low = places.lowerBound
    var high = places.upperBound
    while low + 1 < high {
      let middle = (low + high) / 2
      if stretches[middle].newIndex <= newIndex { low = middle } else { high = middle }
    }
    return low
  }

  /// The runs of rows that never were taken out.
  func forEachRetained(_ body: (_ index: Int32, _ newIndex: Int32, _ count: Int32) -> Void) {
    for stretch in stretches where !stretch.isInserted {
      body(stretch.index, stretch.newIndex, stretch.count)
    }
  }

  /// The structural entries: deletions, insertions and moves, in their order, runs merged.
  func structuralChanges() -> ChangeList {
    var list = ChangeList()
    if !gone.isEmpty || !unlisted.isEmpty { addDeletions(to: &list) }
    guard insertedCount > 0 || !moves.isEmpty else { return list }
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

  /// Placements in order, those that go on where another ends joined to that.
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

  /// The inserted rows that did not come back from somewhere, and the unlisted half of a move.
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
