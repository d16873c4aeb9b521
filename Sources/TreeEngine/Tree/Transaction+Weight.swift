extension Transaction {
  /// The approximate memory that the transaction takes until it ends, in bytes.
  ///
  /// - Complexity: O(1).
  var weight: Int {
    listedBytes + inverses.count * MemoryLayout<Inverse>.stride
      + readings.count * (MemoryLayout<SizedTree<Width>.Reading>.stride + Self.tableBytes)
      + made.count * MemoryLayout<NodeID>.stride
      + moved.nodes.count * Self.tableBytes
  }

  /// Adds rows that were listed or copied for a view.
  mutating func recordListed(_ rows: Int) {
    listedBytes += rows * MemoryLayout<RowDelta<Width>.Listed>.stride
  }

  /// The number of steps that finding the net changes takes.
  ///
  /// - Complexity: O(1).
  var steps: Int {
    inverses.count + readings.count + made.count + moved.nodes.count
      + listedBytes / (2 * Self.tableBytes)
  }

  /// The bytes of a node in a set, unused slots included.
  private static var tableBytes: Int { 24 }
}

extension Transaction.Inverse {
  /// The approximate memory of the step's lists and of the views' records of these nodes, in bytes.
  ///
  /// - Complexity: O(views) for a step that removed toggled nodes, else O(1).
  var listedBytes: Int {
    switch self {
    case .arranged(_, let former): former.count * Self.arrangedBytes
    case .selected(let nodes, _, _): nodes.count * Self.selectedBytes
    case .removed(let cutting, _, let toggled):
      Int(cutting.size) * Self.nodeBytes
        + toggled.reduce(0) { $0 + ($1.shown.count + $1.aside.count) * Self.nodeBytes }
    case .rule(let view, _): view.toggles.count * Self.toggleBytes
    case .views(let view, let aside, _):
      (view.toggles.count + (aside?.toggles.count ?? 0)) * Self.toggleBytes
    case .linked, .moved, .object, .childState, .toggled, .toggledAside: 0
    }
  }

  /// The bytes of a child in the former order and in the rows of a view.
  private static var arrangedBytes: Int { 48 }
  /// The bytes of a selected node in a list and in ``Watcher/selectedBefore``.
  private static var selectedBytes: Int { 40 }
  /// The bytes of a removed node, or of a toggled node in a removed subtree.
  private static var nodeBytes: Int { 8 }
  /// The bytes of a toggled node of a view, with its marks.
  private static var toggleBytes: Int { 96 }
}

extension SizedTree {
  /// The number of steps that ``hasDataChanges`` takes; 0 without a transaction.
  ///
  /// - Complexity: O(1).
  public var transactionSteps: Int {
    @specialized(where Width == Fanout<64>)
    get { transaction?.steps ?? 0 }
  }

  /// The approximate memory of the running transaction in bytes; 0 without one.
  ///
  /// - Complexity: O(1).
  public var transactionWeight: Int {
    @specialized(where Width == Fanout<64>)
    get { transaction?.weight ?? 0 }
  }
}
