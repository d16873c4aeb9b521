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

extension Transaction {
  /// True if the transaction may show nodes that it did not make, in a view without layer.
  var showsOldNodes: Bool {
    inverses.contains { inverse in
      switch inverse {
      case .moved, .arranged, .toggled, .rule, .views: true
      case .linked, .removed, .object, .childState, .toggledAside, .selected: false
      }
    }
  }
}
