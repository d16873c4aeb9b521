/// Computes the effect of a ``RowDelta`` on each row.
///
/// A listed row that was deleted and is a row again has *returned*. It returned *to its place* if
/// its depth and parent are the same and the same retained rows are before it. It must also be in
/// order with the other rows that returned to their place.
///
/// For a single transaction, rows move only at and below its *movers*, the nodes that its
/// operations moved. So the change list does not depend on the intermediate steps or on when it is
/// computed. For several transactions, the list has the fewest moves, whatever nodes were moved.
struct DeltaReading<Width: NodeWidth>: ~Copyable {
  typealias Listed = RowDelta<Width>.Listed
  typealias StepCounter = SizedTree<Width>.StepCounter
  typealias RowsNow = (_ newIndex: Int32, _ count: Int32) -> [Listed]

  struct Stretch {
    var index: Int32
    var newIndex: Int32
    var count: Int32
    /// The number of retained rows before it, which identifies a gap between two of them.
    var gap: Int32
    var isInserted = false
    var isMoveHalf = false
  }

  /// The present rows in order: retained and inserted stretches.
  var stretches: [Stretch] = []
  /// The number of inserted stretches.
  var insertedCount = 0
  /// The deleted rows that were not listed.
  var unlisted: [Stretch] = []
  /// The deleted rows that were listed, ascending.
  var removed: [(index: Int32, row: Listed, gap: Int32)] = []
  /// The returned rows, by ascending new index.
  var returned: [ReturnedRow] = []
  /// The rows that moved.
  private(set) var moves: [ReturnedRow] = []
  private var isReordering = false
  /// The nodes that may move, with their descendants; nil for all.
  private let movers: NodeSet?
  var gone: [(index: Int32, node: NodeID)] = []

  /// Computes the effect of a delta.
  ///
  /// - Parameters:
  ///   - delta: The delta.
  ///   - movers: The nodes that operations moved; nil unless the delta is that of one transaction.
  ///   - count: Counts the steps.
  ///   - rowsNow: Returns consecutive present rows, from an index on.
  ///   - rowNow: Returns the present row of a node and its index, or nil if it is not a row.
  /// - Throws: The error that `count` throws.
  /// - Complexity: O((*k* + *d*) log *n*) for *k* runs and *d* listed rows.
  init(
    _ delta: RowDelta<Width>,
    movers: NodeSet?,
    counting count: StepCounter,
    rowsNow: RowsNow,
    rowNow: (NodeID) -> (index: Int32, row: Listed)?
  ) throws(Interruption) {
    self.movers = movers
    try read(delta, count)
    try resolve(count, rowsNow, rowNow)
  }

  /// Computes the effect of one or two splices.
  ///
  /// - Parameters:
  ///   - splices: The splices.
  ///   - rowCount: The number of rows before.
  ///   - movers: As above.
  ///   - count: Counts the steps.
  ///   - rowsNow: As above.
  ///   - rowNow: As above.
  /// - Throws: The error that `count` throws.
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
    if !read(splices, rowCount: rowCount) {
      var delta = RowDelta<Width>(rowCount: rowCount)
      delta.apply(splices)
      try read(delta, count)
    }
    try resolve(count, rowsNow, rowNow)
  }

  /// Adds the runs of a delta.
  private mutating func read(
    _ delta: RowDelta<Width>,
    _ count: StepCounter
  ) throws(Interruption) {
    try Interruption.completing(count) { pass in read(delta, passing: pass) }
  }

  private mutating func read(_ delta: RowDelta<Width>, passing pass: (Int) -> Void) {
    isReordering = delta.isReordering
    var before: Int32 = 0
    delta.forEach { run, index, newIndex in
      pass(run.list < 0 ? 1 : 1 + Int(run.count))
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

  /// Adds a stretch of inserted rows.
  mutating func add(inserted stretch: Stretch) {
    stretches.append(stretch)
    stretches[stretches.count - 1].isInserted = true
    insertedCount += 1
  }

  /// Adds the listed rows of a deleted run.
  mutating func remove(_ rows: ArraySlice<Listed>, at stretch: Stretch) {
    for (offset, row) in rows.enumerated() {
      removed.append((stretch.index + Int32(offset), row, stretch.gap))
    }
  }

  /// Separates returned rows from deleted ones, and finds those that moved.
  private mutating func resolve(
    _ count: StepCounter,
    _ rowsNow: RowsNow,
    _ rowNow: (NodeID) -> (index: Int32, row: Listed)?
  ) throws(Interruption) {
    guard !removed.isEmpty else { return }
    try resolveReturns(count, rowsNow, rowNow)
    try count(returned.count * Self.stepsPerReturn)
    moves = ReturnedRow.moved(of: returned, isReordering: isReordering, movers: movers)
  }

  /// The approximate number of steps per returned row to decide which rows moved.
  private static var stepsPerReturn: Int { 4 }

  /// The largest number of retained rows that are considered for fewer moves.
  private static var mostRetained: Int { 4_096 }

  /// Reports retained rows as moved instead of returned ones, if fewer rows move then.
  ///
  /// If *A B C* became *C A B*, one row moved, whatever the steps were. Only rows between the first
  /// and the last change can matter.
  ///
  /// - Parameters:
  ///   - count: Counts the steps.
  ///   - rowsNow: Returns consecutive present rows, from an index on.
  /// - Throws: The error that `count` throws.
  /// - Complexity: O(*r* log *r*) for *r* rows in between, unless they are too many.
  mutating func moveFewest(
    counting count: StepCounter,
    rowsNow: RowsNow
  ) throws(Interruption) {
    try count(moves.count + stretches.count)
    guard moves.contains(where: \.isSame) else { return }
    let between = stretches.filter { stretch in
      let isFirst = stretch.index == 0 && stretch.newIndex == 0
      return !stretch.isInserted && !isFirst
    }
    guard between.reduce(0, { $0 + Int($1.count) }) <= Self.mostRetained else { return }
    try count(Self.stepsPerReturn * (returned.count + Self.mostRetained))
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

  /// Returns the stretch that contains a present row.
  func stretch(at newIndex: Int32) -> Stretch {
    stretches[place(ofStretchAt: newIndex, among: stretches.indices)]
  }

  /// Returns the index of the stretch that contains a present row.
  ///
  /// - Parameters:
  ///   - newIndex: The row.
  ///   - start: The index of that stretch or of one before it.
  /// - Returns: The index in ``stretches``.
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

  /// Calls the closure for runs of retained rows, in parts of a few thousand rows.
  ///
  /// - Throws: The error that `count` throws.
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

  /// The number of rows between two calls of `count`.
  private static var rowsPerPart: Int32 { 4_096 }
}
