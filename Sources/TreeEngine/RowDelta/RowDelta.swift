/// The difference between two row lists as runs of retained, deleted and inserted rows.
///
/// A change refers to rows by the indexes that they have before it. The runs are stored in a
/// counted sequence, which converts between indexes before and after. So *k* changes cost O(*k* log
/// *k*) for any number of rows.
///
/// As long as rows are only inserted, there are no runs: insertions are logged and sorted on
/// demand. Deleted runs keep their nodes, so that returning rows are distinguished from new ones.
struct RowDelta<Width: NodeWidth>: Sendable {
  enum Kind: UInt8, Sendable { case retained, deleted, inserted }

  /// Consecutive rows with the same kind of change.
  ///
  /// In its summary, `count` is the number of rows after, and `sum` is that before.
  struct Run: RangeMinItem {
    var kind: Kind
    var count: Int32
    /// The index in ``listed`` of a deleted run's first node, or -1 if not listed.
    var list: Int32 = -1
    /// True for one half of an unlisted move.
    var isMoveHalf = false

    var summary: Summary {
      Summary(
        count: kind == .deleted ? 0 : count,
        sum: kind == .inserted ? 0 : count,
        minimum: Summary.none,
        minimumCount: 0
      )
    }
    static var isOnlyCounted: Bool { true }
    static var filler: Run { Run(kind: .retained, count: 0) }
    /// Runs are never looked up by owner.
    var owner: Int32 { -1 }
  }

  /// A removed row: its node, parent and depth.
  struct Listed: Equatable, Sendable {
    var node: NodeID
    var parent: NodeID
    var depth: Int32
  }

  /// True if the order of the view changed, so that a row can move without its descendants.
  var isReordering = false
  typealias Runs = RangeMinTree<Run, RunWidth>

  /// The fan-out of runs.
  ///
  /// It is small because runs are large and few.
  enum RunWidth: NodeWidth {
    static var fanout: Int { max(4, Width.fanout / 4) }
    static var chunkBytes: Int { Width.chunkBytes }
  }

  /// The number of rows before.
  var rowCountBefore: Int32
  /// The insertions before the first deletion.
  private var insertions = InsertionLog()
  var runs = Runs()
  /// An object shared by all copies that have runs.
  private var loan: Loan?
  /// The tree of runs.
  ///
  /// Its node is -1 while there are no runs, because rows were only inserted.
  var root = Runs.Root(node: -1, height: 0)
  /// The rows of deleted runs.
  ///
  /// ``Run/list`` is an index into it.
  private(set) var listed: [Listed] = []
  /// The number of former rows that removals of nodes deleted.
  private(set) var removedCount: Int32 = 0

  private var hasRuns: Bool { root.node >= 0 }
  /// An empty run that is never changed, so that the sequence is never empty.
  private static var firstRun: Run { Run(kind: .retained, count: 0) }

  /// Makes an empty delta over `rowCount` rows.
  init(rowCount: Int32) { rowCountBefore = rowCount }

  /// Makes the difference of two row lists.
  ///
  /// Rows in both lists must have the same order in both.
  ///
  /// - Parameters:
  ///   - before: The rows before.
  ///   - after: The rows after.
  ///   - pass: Counts the steps.
  ///   - isStaying: Returns true if a row of `before` is also in `after`.
  /// - Complexity: O(rows).
  init(
    from before: [Listed],
    to after: [Listed],
    passing pass: (Int) -> Void,
    isStaying: (NodeID) -> Bool
  ) {
    rowCountBefore = Int32(before.count)
    var listed: [Listed] = []
    var found = [Self.firstRun]
    func add(_ kind: Kind) {
      pass(1)
      if found.count > 1, found[found.count - 1].kind == kind {
        found[found.count - 1].count += 1
      } else {
        let list = kind == .deleted ? Int32(listed.count) : -1
        found.append(Run(kind: kind, count: 1, list: list))
      }
    }
    var next = 0
    for row in before {
      guard isStaying(row.node) else {
        add(.deleted)
        listed.append(row)
        continue
      }
      while after[next].node != row.node {
        add(.inserted)
        next += 1
      }
      add(.retained)
      next += 1
    }
    for _ in next..<after.count { add(.inserted) }
    loan = Loan()
    root = runs.build(found, passing: pass)
    self.listed = listed
  }

  /// Deletes rows.
  ///
  /// - Parameters:
  ///   - row: The present index of the first row.
  ///   - count: The number of rows.
  ///   - rows: The rows in order, or nil if they need not be listed.
  ///   - cause: The reason of the deletion.
  /// - Complexity: O(*k* log *k*) in the affected runs.
  mutating func delete(
    at row: Int32,
    count: Int32,
    rows: [Listed]?,
    cause: RowSplice<Width>.Cause = .other
  ) {
    makeRuns()
    var list = rows == nil ? -1 : Int32(listed.count)
    if let rows {
      // Many views may get the same list, and this shares the first without a copy.
      if listed.isEmpty { listed = rows } else { listed.append(contentsOf: rows) }
    }
    var rest = count
    while rest > 0 {
      let cursor = runs.last(in: root, startingAtOrBefore: row)
      let run = runs.item(cursor)
      let skipped = row - cursor.prefix.count
      let taken = min(run.count - skipped, rest)
      let behind = run.count - skipped - taken
      if run.kind == .inserted {
        resize(at: cursor, to: run.count - taken)
      } else {
        var deleted = Run(kind: .deleted, count: taken, list: list)
        deleted.isMoveHalf = cause == .unlistedMove
        if cause == .removal { removedCount += taken }
        replace(at: cursor, after: skipped, by: deleted, before: behind)
      }
      if list >= 0 { list += taken }
      rest -= taken
    }
  }

  /// Inserts rows before the one at `row`.
  ///
  /// - Complexity: O(1), amortised, as long as rows are only inserted. Otherwise O(log *k*).
  mutating func insert(at row: Int32, count: Int32, isMoveHalf: Bool = false) {
    guard count > 0 else { return }
    guard hasRuns || isMoveHalf else { return insertions.append(row: row, count: count) }
    makeRuns()
    let cursor = runs.last(in: root, startingAtOrBefore: row)
    let run = runs.item(cursor)
    let skipped = row - cursor.prefix.count
    if run.kind == .inserted, !isMoveHalf {
      resize(at: cursor, to: run.count + count)
      return
    }
    let inserted = Run(kind: .inserted, count: count, isMoveHalf: isMoveHalf)
    if run.kind == .retained, skipped < run.count {
      replace(at: cursor, after: skipped, by: inserted, before: run.count - skipped)
    } else {
      runs.insert(inserted, leaf: cursor.leaf, slot: cursor.slot + 1, root: &root)
    }
  }

  /// Returns the parts of a range of present rows that were also rows before, in order.
  ///
  /// - Complexity: O(*k* log *k*) in the affected runs.
  mutating func retainedParts(of rows: Range<Int32>) -> [Range<Int32>] {
    makeRuns()
    var parts: [Range<Int32>] = []
    var row = rows.lowerBound
    while row < rows.upperBound {
      let cursor = runs.last(in: root, startingAtOrBefore: row)
      let run = runs.item(cursor)
      let end = min(cursor.prefix.count + run.count, rows.upperBound)
      if run.kind == .retained { parts.append(row..<end) }
      row = end
    }
    return parts
  }

  /// Begins or ends changes, during which the delta must not be copied.
  mutating func setChanging(_ isChanging: Bool) {
    if hasRuns { runs.setSole(isChanging && isKnownUniquelyReferenced(&loan)) }
  }

  // MARK: Runs

  /// Sorts the insertions, so that several calls of ``forEach(_:)`` are cheap.
  mutating func sort() { insertions.sort() }

  /// Builds the sequence of runs if there is none.
  ///
  /// - Complexity: O(*k* log *k*) in the logged insertions.
  mutating func makeRuns() {
    guard !hasRuns else { return }
    var found = [Self.firstRun]
    forEachOfInsertions { run, _, _ in found.append(run) }
    loan = Loan()
    root = runs.build(found)
    insertions = InsertionLog()
  }

  /// Calls the closure for each run of the logged insertions, as ``forEach(_:)`` does.
  private func forEachOfInsertions(
    _ body: (_ run: Run, _ index: Int32, _ newIndex: Int32) -> Void
  ) {
    var index: Int32 = 0
    var newIndex: Int32 = 0
    func retain(_ count: Int32) {
      guard count > 0 else { return }
      body(Run(kind: .retained, count: count), index, newIndex)
      index += count
      newIndex += count
    }
    for insertion in insertions.inOrder() {
      retain(insertion.row - newIndex)
      body(Run(kind: .inserted, count: insertion.count), index, newIndex)
      newIndex = insertion.end
    }
    retain(rowCountBefore - index)
  }

  mutating func resize(at cursor: Runs.Cursor, to count: Int32) {
    guard count > 0 else {
      runs.remove(leaf: cursor.leaf, slot: cursor.slot, root: &root)
      return
    }
    runs[cursor.leaf, cursor.slot].count = count
    runs.refresh(changed: cursor.leaf)
  }

  /// Replaces the middle of a retained run.
  ///
  /// `before` and `after` are the numbers of its rows that remain on each side.
  private mutating func replace(
    at cursor: Runs.Cursor,
    after before: Int32,
    by middle: Run,
    before after: Int32
  ) {
    let rest = after > 0 ? Run(kind: .retained, count: after) : nil
    let (leaf, next) = (cursor.leaf, cursor.slot + 1)
    if before > 0 {
      runs[leaf, cursor.slot].count = before
      runs.insert(middle, followedBy: rest, leaf: leaf, slot: next, root: &root)
    } else {
      runs[leaf, cursor.slot] = middle
      if let rest {
        runs.insert(rest, leaf: leaf, slot: next, root: &root)
      } else {
        runs.refresh(changed: leaf)
      }
    }
  }

  /// Calls the closure for each run in order, with its first index before and after.
  ///
  /// - Complexity: O(*k*), or O(*k* log *k*) if rows were only inserted.
  func forEach(_ body: (_ run: Run, _ index: Int32, _ newIndex: Int32) -> Void) {
    guard hasRuns else { return forEachOfInsertions(body) }
    var next: Runs.Cursor? = runs.first(in: root)
    while let cursor = next {
      let run = runs.item(cursor)
      if run.count > 0 { body(run, cursor.prefix.sum, cursor.prefix.count) }
      next = runs.next(cursor)
    }
  }

  /// Recomputes what the sequence stores and compares it, for tests.
  func checkInvariants() {
    if hasRuns { runs.checkInvariants(of: root) }
  }
}
