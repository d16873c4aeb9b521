/// The combined effect of several commits on a view and on the data.
///
/// For each node it stores the state before the first commit that changed it.
struct ViewSpan<Width: NodeWidth> {
  /// The difference of rows, or nil if no rows were inserted or deleted.
  private(set) var delta: RowDelta<Width>?
  /// The number of rows before, and an unlisted move, if no other rows were inserted or deleted.
  private(set) var soleMove: (rowCount: Int32, splices: FewSplices<Width>)?
  private(set) var data: [NodeID: PastData.Reading] = [:]
  private(set) var toggled: [NodeID: Bool] = [:]
  private(set) var selected: [NodeID: Bool] = [:]
  private(set) var matched: [NodeID: Bool] = [:]
  /// The filter before the first commit that set a filter, or the order of a filtered view.
  private(set) var filter: FilterBefore?
  /// The expansion before the first commit that set a rule.
  private(set) var expansion: PastView<Width>.Expansion?
  /// The nodes that were expanded by a toggle, and nodes without supplied children that a rule
  /// expanded.
  private(set) var expanded: [NodeID] = []
  /// The nodes that the commits moved.
  private(set) var moved = NodeSet()

  /// Returns the nodes that may move by themselves: those that were moved, and also those whose
  /// objects changed if `isUpdated` is true.
  func movers(withUpdated isUpdated: Bool) -> NodeSet {
    guard isUpdated else { return moved }
    var movers = moved
    for (node, before) in data where before.object != nil { movers.insert(node) }
    return movers
  }

  var isEmpty: Bool {
    delta == nil && data.isEmpty && toggled.isEmpty && selected.isEmpty && matched.isEmpty
      && expansion == nil && filter == nil
  }

  /// Adds the effect of the next commit on the view.
  mutating func add(_ past: PastView<Width>) {
    if past.hasRows {
      let isSole = delta == nil && past.splices.isUnlistedMove
      soleMove = isSole ? (past.rowCountBefore, past.splices) : nil
      var delta = delta.take() ?? RowDelta(rowCount: past.rowCountBefore)
      past.replay(onto: &delta)
      self.delta = delta
    }
    for (node, mark) in past.marks {
      switch mark {
      case .toggled(let was): recordToggled(node, was)
      case .expanded(let was):
        recordToggled(node, was)
        expanded.append(node)
      case .selected(let was): if selected[node] == nil { selected[node] = was }
      case .matched(let was): if filter == nil, matched[node] == nil { matched[node] = was }
      case .expandedUnloaded: expanded.append(node)
      }
    }
    if expansion == nil { expansion = past.expansion }
    if filter == nil { filter = past.filter }
  }

  private mutating func recordToggled(_ node: NodeID, _ was: Bool) {
    // After a rule was set, `expansion` tells which nodes were toggled before.
    if expansion == nil, toggled[node] == nil { toggled[node] = was }
  }

  /// Returns the former match of a node.
  ///
  /// The inner nil means no filter, the outer nil no change.
  func wasMatched(_ node: NodeID) -> Bool?? {
    if let was = matched[node] { return .some(was) }
    return filter.map { $0.isMatched(node) }
  }

  /// Adds the effect of the next commit on the data.
  mutating func add(_ past: PastData) {
    if !past.moved.isEmpty { moved.insert(past.moved) }
    for (node, before) in past.readings {
      if data[node] == nil {
        data[node] = before
      } else if data[node]?.object == nil {
        data[node]?.object = before.object
      }
    }
  }
}
