extension Transaction {
  /// The approximate memory that the transaction takes until it ends, in bytes.
  ///
  /// - Complexity: O(1).
  var weight: Int {
    listedBytes + inverses.count * MemoryLayout<Inverse>.stride
      + readings.count * MemoryLayout<NodeReading>.stride + readings.keys.byteCount
      + made.count * MemoryLayout<NodeID>.stride + moved.byteCount
  }

  /// Adds rows that were listed or copied for a view.
  mutating func recordListed(_ rows: Int) {
    listedBytes += rows * MemoryLayout<RowDelta<Width>.Listed>.stride
  }
}

extension Transaction.Inverse {
  /// The approximate memory of the step's lists and of the views' records of these nodes, in bytes.
  ///
  /// - Complexity: O(views) for a step that removed toggled nodes, else O(1).
  var listedBytes: Int {
    switch self {
    case .arranged(_, let former): former.byteCount
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

  /// The bytes of a selected node in a list and in ``Watcher/selectedBefore``.
  private static var selectedBytes: Int { 40 }
  /// The bytes of a removed node, or of a toggled node in a removed subtree.
  private static var nodeBytes: Int { 8 }
  /// The bytes of a toggled node of a view, with its marks.
  private static var toggleBytes: Int { 96 }
}
