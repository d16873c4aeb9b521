/// The difference between two row lists as runs of retained, deleted and inserted rows.
///
/// Mutations splice it in the row coordinates of their moment; the runs, kept in a counted
/// sequence, turn that into the coordinates before and after, so *k* splices cost O(*k* log *k*)
/// however many rows they touch. Deleted runs keep the list of their nodes, so that what comes back
/// at the end can be told from what is new.
struct RowDelta<Width: NodeWidth>: Sendable {
  enum Kind: UInt8, Sendable { case retained, deleted, inserted }

  /// Consecutive rows that fared alike.
  ///
  /// Counts as many positions as it has rows after, and sums as
  /// many as it had before.
  struct Run: RangeMinItem {
    var owner: Int32
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
    static var filler: Run { Run(owner: -1, kind: .retained, count: 0) }
  }

  /// A row that was taken out: its node, and what a change list says of a row's place.
  struct Listed: Equatable, Sendable {
    var node: NodeID
    var parent: NodeID
    var depth: Int32
  }

  /// The rows were put in another order, so that a row moves without what is below it.
  var isReordering = false
  private var runs = RangeMinTree<Run, Width>()
  private var root: RangeMinTree<Run, Width>.Root
  private var nextOwner: Int32 = 1
  /// The rows of deleted runs, by ``Run/list``.
  private(set) var listed: [Listed] = []

  /// The delta of nothing, over so many rows.
  init(rowCount: Int32) {
    root = runs.makeEmpty()
    // A first run of no rows is never touched, so that the sequence is never empty.
    runs.append(Run(owner: 0, kind: .retained, count: 0), to: &root)
    if rowCount > 0 { runs.append(make(.retained, rowCount), to: &root) }
  }

  private mutating func make(_ kind: Kind, _ count: Int32, list: Int32 = -1) -> Run {
    defer { nextOwner += 1 }
    return Run(owner: nextOwner, kind: kind, count: count, list: list)
  }

  /// Takes rows out.
  ///
  /// - Parameters:
  ///   - row: the first of them, as counted now.
  ///   - count: how many.
  ///   - rows: the rows in order, or nil when their identity is of no interest.
  ///   - isMoveHalf: whether they come back as a run that is not listed either.
  /// - Complexity: O(*k* log *k*) in the runs concerned.
  mutating func delete(at row: Int32, count: Int32, rows: [Listed]?, isMoveHalf: Bool = false) {
    var list = rows == nil ? -1 : Int32(listed.count)
    if let rows { listed.append(contentsOf: rows) }
    var rest = count
    while rest > 0 {
      let cursor = runs.last(in: root, startingAtOrBefore: row)
      let run = runs.item(cursor)
      let skipped = row - cursor.prefix.count
      let taken = min(run.count - skipped, rest)
      let behind = run.count - skipped - taken
      if run.kind == .inserted {
        shrink(run, by: taken)
      } else {
        var deleted = make(.deleted, taken, list: list)
        deleted.isMoveHalf = isMoveHalf
        replace(run, at: cursor, after: skipped, by: deleted, before: behind)
      }
      if list >= 0 { list += taken }
      rest -= taken
    }
  }

  /// Puts rows in before the one at `row`.
  ///
  /// - Complexity: O(log *k*).
  mutating func insert(at row: Int32, count: Int32, isMoveHalf: Bool = false) {
    guard count > 0 else { return }
    let cursor = runs.last(in: root, startingAtOrBefore: row)
    var run = runs.item(cursor)
    let skipped = row - cursor.prefix.count
    if run.kind == .inserted, !isMoveHalf {
      run.count += count
      overwrite(run)
      return
    }
    var inserted = make(.inserted, count)
    inserted.isMoveHalf = isMoveHalf
    if run.kind == .retained, skipped < run.count {
      replace(run, at: cursor, after: skipped, by: inserted, before: run.count - skipped)
    } else {
      insert(inserted, behind: run.owner)
    }
  }

  private mutating func shrink(_ run: Run, by taken: Int32) {
    guard run.count == taken else {
      var shrunk = run
      shrunk.count -= taken
      overwrite(shrunk)
      return
    }
    let (leaf, slot) = runs.slot(ofOwner: run.owner)
    runs.remove(leaf: leaf, slot: slot, root: &root)
  }

  private mutating func overwrite(_ run: Run) {
    let (leaf, slot) = runs.slot(ofOwner: run.owner)
    runs[leaf, slot] = run
    runs.refresh(changed: leaf)
  }

  private mutating func insert(_ run: Run, behind owner: Int32) {
    let (leaf, slot) = runs.slot(ofOwner: owner)
    runs.insert(run, leaf: leaf, slot: slot + 1, root: &root)
  }

  /// Puts a run in place of the middle of a retained one, of which so many rows stay before it and
  /// so many after.
  private mutating func replace(
    _ run: Run,
    at cursor: RangeMinTree<Run, Width>.Cursor,
    after before: Int32,
    by middle: Run,
    before after: Int32
  ) {
    var first = middle
    first.owner = run.owner
    if before > 0 {
      first = run
      first.count = before
    }
    runs[cursor.leaf, cursor.slot] = first
    if before > 0 { insert(middle, behind: first.owner) } else { overwrite(first) }
    guard after > 0 else { return }
    insert(make(.retained, after), behind: before > 0 ? middle.owner : first.owner)
  }

  /// Shows the runs in order, each with its first row before and after.
  ///
  /// - Complexity: O(*k*).
  func forEach(_ body: (_ run: Run, _ index: Int32, _ newIndex: Int32) -> Void) {
    var next: RangeMinTree<Run, Width>.Cursor? = runs.cursor(ofOwner: 0)
    while let cursor = next {
      let run = runs.item(cursor)
      if run.count > 0 { body(run, cursor.prefix.sum, cursor.prefix.count) }
      next = runs.next(cursor)
    }
  }

  /// Recomputes what the sequence stores and compares; for tests.
  func checkInvariants() { runs.checkInvariants(of: root) }
}
