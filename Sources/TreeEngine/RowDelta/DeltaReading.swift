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
  typealias StepCounter = SizedTree<Width>.StepCounter
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
  private(set) var moves: [ReturnedRow] = []
  private var isReordering = false
  /// The nodes that may move, with what is below them; nil for all.
  private let movers: NodeSet?
  var gone: [(index: Int32, node: NodeID)] = []

  /// Reads out a delta.
  ///
  /// - Parameters:
  ///   - delta: The delta.
  ///   - movers: The nodes that operations moved; nil where it is not one transaction's.
  ///   - count: Counts the steps.
  ///   - rowsNow: Returns consecutive rows as they are now, by the first one's index.
  ///   - rowNow: Returns a node's row as it is now and its index, or nil when it is none.
  /// - Throws: What counting throws.
  /// - Complexity: O((*k* + *d*) log *n*) for *k* runs and *d* listed rows.
  init(
    _ delta: RowDelta<Width>,
    movers: NodeSet?,
    counting count: StepCounter,
    rowsNow: RowsNow,
    rowNow: (NodeID) -> (index: Int32, row: Listed)?
  ) throws(Interruption) {
    self.movers = movers
    take(delta)
    try settle(count, rowsNow, rowNow)
  }

  /// Reads out what happened to so many rows, where that is no more than a few splices.
  ///
  /// - Parameters:
  ///   - splices: The splices.
  ///   - rowCount: The number of rows before.
  ///   - movers: As above.
  ///   - count: Counts the steps.
  ///   - rowsNow: As above.
  ///   - rowNow: As above.
  /// - Throws: What counting throws.
  /// - Complexity: O(*d* log *n*) for *d* listed rows.
  init(
    _ splices: FewSplices<Width>,
    rowCount: Int32,
    movers: NodeSet?,
    counting count: StepCounter,
    rowsNow: RowsNow,
    rowNow: (NodeID) -> (index: Int32, row: Listed)?
  ) throws(Interruption) {
    self.movers = movers
    if !take(splices, rowCount: rowCount) {
      var delta = RowDelta<Width>(rowCount: rowCount)
      delta.apply(splices)
      take(delta)
    }
    try settle(count, rowsNow, rowNow)
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
    _ count: StepCounter,
    _ rowsNow: RowsNow,
    _ rowNow: (NodeID) -> (index: Int32, row: Listed)?
  ) throws(Interruption) {
    guard !removed.isEmpty else { return }
    try settleReturns(count, rowsNow, rowNow)
    try count(returned.count * Self.stepsPerReturn)
    moves = ReturnedRow.moved(of: returned, isReordering: isReordering, movers: movers)
  }

  /// About so many nodes are passed in the time in which it is decided if a row moved.
  private static var stepsPerReturn: Int { 4 }

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

  /// Visits the runs of rows that never were taken out, in parts of a few thousand rows.
  ///
  /// - Throws: What counting the rows throws.
  func forEachRetained(
    counting count: StepCounter,
    _ body: (_ index: Int32, _ newIndex: Int32, _ count: Int32) -> Void
  ) throws(Interruption) {
    for stretch in stretches where !stretch.isInserted {
      var offset: Int32 = 0
      while offset < stretch.count {
        let part = min(Self.rowsPerPart, stretch.count - offset)
        try count(2 * Int(part))
        body(stretch.index + offset, stretch.newIndex + offset, part)
        offset += part
      }
    }
  }

  /// The number of rows that are visited between two counts.
  private static var rowsPerPart: Int32 { 4_096 }
}
