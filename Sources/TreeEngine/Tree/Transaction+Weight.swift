extension Transaction {
  /// About how many bytes the transaction takes until it ends, so that it can be undone.
  ///
  /// - Complexity: O(1).
  var weight: Int {
    listedBytes + inverses.count * MemoryLayout<Inverse>.stride
      + readings.count * (MemoryLayout<SizedTree<Width>.Reading>.stride + Self.tableBytes)
      + made.count * MemoryLayout<NodeID>.stride
      + moved.nodes.count * Self.tableBytes
  }

  /// Counts rows that were listed or copied for a view.
  mutating func noteListed(_ rows: Int) {
    listedBytes += rows * MemoryLayout<RowDelta<Width>.Listed>.stride
  }

  /// The number of steps that it takes to tell what the transaction has changed.
  ///
  /// - Complexity: O(1).
  var steps: Int {
    inverses.count + readings.count + made.count + moved.nodes.count
      + listedBytes / (2 * Self.tableBytes)
  }

  /// A node in a set of nodes, with the room that its table keeps free.
  private static var tableBytes: Int { 24 }
}

extension Transaction.Inverse {
  /// About how many bytes the lists of the step take, with what views note of the same nodes.
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

  /// A child in its former place, and as a row of a view.
  private static var arrangedBytes: Int { 48 }
  /// A node in a list, and what it was before.
  private static var selectedBytes: Int { 40 }
  /// A node that is removed or was toggled below that.
  private static var nodeBytes: Int { 8 }
  /// A toggled node of a view with its marks.
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

  /// About how many bytes the running transaction takes until it ends; 0 without one.
  ///
  /// - Complexity: O(1).
  public var transactionWeight: Int {
    @specialized(where Width == Fanout<64>)
    get { transaction?.weight ?? 0 }
  }
}
