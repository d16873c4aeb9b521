/// The effects of a commit, against which the same transaction on a fork is checked.
public struct CommitRecord<Width: NodeWidth>: Sendable {
  /// The number of the commit.
  let number: Int
  /// The nodes that it made.
  let made: [NodeID]
  /// The nodes that it removed.
  let removed: [NodeID]
  /// Its effects on views, by slot.
  var views: [Int: RecordedView<Width>] = [:]
  /// The number of rows that were hashed.
  private var hashedRows: Int32 = 0
  /// False if too many rows came, so that they were not hashed.
  var isComplete: Bool { hashedRows <= Self.maxHashedRows }

  /// The maximum number of rows that come in all views together.
  private static var maxHashedRows: Int32 { 20_000 }

  /// The approximate memory in bytes.
  public var byteCount: Int {
    let rows = views.values.reduce(0) { $0 + $1.past.byteCount }
    return made.byteCount + removed.byteCount + rows
      + views.count * 2 * MemoryLayout<RecordedView<Width>>.stride
  }

  init(number: Int, made: [NodeID], removed: [NodeID]) {
    (self.number, self.made, self.removed) = (number, made, removed)
  }

  /// Counts rows that came; returns false if they are too many to be hashed.
  mutating func canHash(_ runs: [RowRun<Width>]) -> Bool {
    hashedRows += runs.reduce(0) { $1.kind == .inserted ? $0 + $1.count : $0 }
    return isComplete
  }
}

/// The effect of a recorded commit on a view.
struct RecordedView<Width: NodeWidth>: Sendable {
  let past: PastView<Width>
  /// A hash of the nodes of the rows that came, in order; 0 if they are made nodes.
  let came: Int
}

/// Consecutive rows that a commit deleted or inserted.
struct RowRun<Width: NodeWidth> {
  let kind: RowDelta<Width>.Kind
  var count: Int32
  /// The index before the commit at which they begin.
  private(set) var index: Int32
  /// The index after the commit at which they begin.
  private(set) var newIndex: Int32

  /// Leaves out the first rows.
  mutating func skip(_ rows: Int32) {
    count -= rows
    if kind == .deleted { index += rows } else { newIndex += rows }
  }
}

extension PastView {
  /// The deleted and inserted rows.
  ///
  /// - Complexity: O(*k* + *d*) for *k* runs and *d* rows listed.
  var rowRuns: [RowRun<Width>] {
    guard hasRows else { return [] }
    var delta = RowDelta<Width>(rowCount: rowCountBefore)
    replay(onto: &delta)
    var runs: [RowRun<Width>] = []
    delta.forEach { run, index, newIndex in
      if run.kind == .retained { return }
      runs.append(RowRun(kind: run.kind, count: run.count, index: index, newIndex: newIndex))
    }
    return runs
  }
}

extension SizedTree {
  /// Removes and returns the record of the last commit; nil if it was not recorded, or was too
  /// large.
  ///
  /// - Complexity: O(1).
  public mutating func popRecord() -> CommitRecord<Width>? {
    let last = record.take()
    return last?.isComplete == true ? last : nil
  }

  /// Adds the effect of the running commit on a view to its record.
  mutating func addToRecord(_ past: PastView<Width>, at slot: Int, showsOldNodes: Bool) {
    guard var adding = record.take() else { return }
    var came = 0
    if showsOldNodes || watchers[slot].isLayered {
      let runs = past.rowRuns
      if adding.canHash(runs) { came = hash(of: runs, inViewAt: slot) }
    }
    adding.views[slot] = RecordedView(past: past, came: came)
    record = adding
  }

  /// Returns true if a transaction may show nodes that it did not make, in a view without layer.
  func showsOldNodes(_ done: Transaction<Width>) -> Bool {
    done.inverses.contains { inverse in
      switch inverse {
      case .moved, .arranged, .toggled, .rule, .views: true
      case .linked, .removed, .object, .childState, .toggledAside, .selected: false
      }
    }
  }

  /// Returns a hash of the nodes of rows that have come.
  ///
  /// - Complexity: O(rows).
  func hash(of runs: [RowRun<Width>], inViewAt slot: Int) -> Int {
    var hasher = Hasher()
    let written = writtenRows(slot)
    for run in runs where run.kind == .inserted {
      let nodes =
        written?.nodes(from: run.newIndex, count: run.count)
        ?? listedRows(from: run.newIndex, count: run.count, inViewAt: slot).map(\.node)
      // One by one, because the same rows may be in other runs elsewhere.
      for node in nodes { hasher.combine(node) }
    }
    return hasher.finalize()
  }
}
