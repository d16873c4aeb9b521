/// The difference between two row lists as runs of retained, deleted and inserted rows.
///
/// Mutations splice it in the row coordinates of their moment; the runs, kept in a counted
/// sequence, turn that into the coordinates before and after, so *k* splices cost O(*k* log *k*)
/// however many rows they touch. As long as rows only come there are no runs: the insertions are
/// noted, and put in order when somebody asks. Deleted runs keep the list of their nodes, so that
/// what comes back at the end can be told from what is new.
struct RowDelta<Width: NodeWidth>: Sendable {
  enum Kind: UInt8, Sendable { case retained, deleted, inserted }

  /// Consecutive rows that fared alike.
  ///
  /// Counts as many positions as it has rows after, and sums as
  /// many as it had before.
  struct Run: RangeMinItem {
    var kind: Kind
    var count: Int32
    /// Where in ``listed`` a deleted run's nodes start; -1 where they were not listed.
    var list: Int32 = -1
    /// One of the two halves of a move that was not listed.
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
    /// Runs are found by where they are.
    var owner: Int32 { -1 }
  }

  /// A row that was taken out: its node, and what a change list says of a row's place.
  struct Listed: Equatable, Sendable {
    var node: NodeID
    var parent: NodeID
    var depth: Int32
  }

  /// The rows were put in another order, so that a row moves without what is below it.
  var isReordering = false
  private typealias Runs = RangeMinTree<Run, RunWidth>

  /// Runs are large, and few: narrow nodes.
  private enum RunWidth: NodeWidth {
    static var fanout: Int { max(4, Width.fanout / 4) }
    static var chunkBytes: Int { Width.chunkBytes }
  }

  /// How many rows there were before.
  private let rowCountBefore: Int32
  /// The rows that came before any went.
  private var insertions = InsertionLog()
  private var runs = Runs()
  /// Held by all copies that have runs.
  private var loan: Loan?
  /// Names no tree while rows only came.
  private var root = Runs.Root(node: -1, height: 0)
  /// The rows of deleted runs, by ``Run/list``.
  private(set) var listed: [Listed] = []
  /// Rows of before that removals took out.
  private(set) var removedCount: Int32 = 0

  private var hasRuns: Bool { root.node >= 0 }
  /// A run of no rows, which is never touched, so that the sequence is never empty.
  private static var firstRun: Run { Run(kind: .retained, count: 0) }

  /// The delta of nothing, over so many rows.
  init(rowCount: Int32) { rowCountBefore = rowCount }

  /// The difference between two lists of rows that stand in the same order, as far as they are in
  /// both.
  ///
  /// - Parameters:
  ///   - before: the rows before.
  ///   - after: the rows after.
  ///   - isStaying: whether a row of before is one after.
  /// - Complexity: O(rows).
  init(from before: [Listed], to after: [Listed], isStaying: (NodeID) -> Bool) {
    rowCountBefore = Int32(before.count)
    var listed: [Listed] = []
    var found = [Self.firstRun]
    func add(_ kind: Kind) {
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
    root = runs.build(found)
    self.listed = listed
  }

  /// Takes rows out.
  ///
  /// - Parameters:
  ///   - row: the first of them, as counted now.
  ///   - count: how many.
  ///   - rows: the rows in order, or nil when their identity is of no interest.
  ///   - cause: why they go.
  /// - Complexity: O(*k* log *k*) in the runs concerned.
  mutating func delete(
    at row: Int32,
    count: Int32,
    rows: [Listed]?,
    cause: RowSplice<Width>.Cause = .other
  ) {
    makeRuns()
    var list = rows == nil ? -1 : Int32(listed.count)
    if let rows {
      // Many views may be given the same list: the first is not copied.
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

  /// Puts rows in before the one at `row`.
  ///
  /// - Complexity: O(1), amortised, while rows only come; then O(log *k*).
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

  /// The parts of some rows of now that were rows before, in order.
  ///
  /// - Complexity: O(*k* log *k*) in the runs concerned.
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

  /// Begins or ends changes, during which nobody takes a copy.
  mutating func setChanging(_ isChanging: Bool) {
    if hasRuns { runs.setSole(isChanging && isKnownUniquelyReferenced(&loan)) }
  }

  // MARK: Runs

  /// Prepares for ``forEach(_:)``, where that may be asked for more than once.
  mutating func sort() { insertions.sort() }

  /// Makes a sequence of the runs, if there is none yet.
  ///
  /// - Complexity: O(*k* log *k*) in the insertions so far.
  private mutating func makeRuns() {
    guard !hasRuns else { return }
    var found = [Self.firstRun]
    forEachOfInsertions { run, _, _ in found.append(run) }
    loan = Loan()
    root = runs.build(found)
    insertions = InsertionLog()
  }

  /// Shows the runs that insertions alone make, as ``forEach(_:)`` does.
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

  private mutating func resize(at cursor: Runs.Cursor, to count: Int32) {
    guard count > 0 else {
      runs.remove(leaf: cursor.leaf, slot: cursor.slot, root: &root)
      return
    }
    runs[cursor.leaf, cursor.slot].count = count
    runs.refresh(changed: cursor.leaf)
  }

  /// Puts a run in place of the middle of a retained one, of which so many rows stay before it and
  /// so many after.
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

  /// Shows the runs in order, each with its first row before and after.
  ///
  /// - Complexity: O(*k*), O(*k* log *k*) where rows only came.
  func forEach(_ body: (_ run: Run, _ index: Int32, _ newIndex: Int32) -> Void) {
    guard hasRuns else { return forEachOfInsertions(body) }
    var next: Runs.Cursor? = runs.first(in: root)
    while let cursor = next {
      let run = runs.item(cursor)
      if run.count > 0 { body(run, cursor.prefix.sum, cursor.prefix.count) }
      next = runs.next(cursor)
    }
  }

  /// Recomputes what the sequence stores and compares; for tests.
  func checkInvariants() {
    if hasRuns { runs.checkInvariants(of: root) }
  }
}
