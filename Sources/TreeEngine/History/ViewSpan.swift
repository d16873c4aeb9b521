/// What several commits did to one view and to the data under it, put together: the rows that went
/// and came, and what nodes read before the first commit that touched them.
struct ViewSpan<Width: NodeWidth> {
  /// Nil where no rows came or went.
  private(set) var delta: RowDelta<Width>?
  /// How many rows there were, and the move of so many of them that they are not listed, where no
  /// more rows came or went.
  private(set) var soleMove: (rowCount: Int32, splices: FewSplices<Width>)?
  private(set) var data: [NodeID: PastData.Reading] = [:]
  private(set) var toggled: [NodeID: Bool] = [:]
  private(set) var selected: [NodeID: Bool] = [:]
  private(set) var matched: [NodeID: Bool] = [:]
  /// The filter before the first of them that set one, or an order.
  private(set) var filter: FilterBefore?
  /// What was expanded when the first of them set a rule.
  private(set) var expansion: PastView<Width>.Expansion?
  /// Nodes that were toggled and thereby expanded, and nodes without supplied children that a rule
  /// expanded.
  private(set) var expanded: [NodeID] = []
  /// The nodes that the commits moved.
  private(set) var moved = NodeSet()

  var isEmpty: Bool {
    delta == nil && data.isEmpty && toggled.isEmpty && selected.isEmpty && matched.isEmpty
      && expansion == nil && filter == nil
  }

  /// Adds what the next commit did to the view.
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
      case .toggled(let was): noteToggled(node, was)
      case .expanded(let was):
        noteToggled(node, was)
        expanded.append(node)
      case .selected(let was): if selected[node] == nil { selected[node] = was }
      case .matched(let was): if filter == nil, matched[node] == nil { matched[node] = was }
      case .expandedUnloaded: expanded.append(node)
      }
    }
    if expansion == nil { expansion = past.expansion }
    if filter == nil { filter = past.filter }
  }

  private mutating func noteToggled(_ node: NodeID, _ was: Bool) {
    // Once a rule was set, that tells which were toggled before.
    if expansion == nil, toggled[node] == nil { toggled[node] = was }
  }

  /// Whether a node matched before; nil within: there was no filter, nil: as now.
  func wasMatched(_ node: NodeID) -> Bool?? {
    if let was = matched[node] { return .some(was) }
    return filter.map { $0.isMatched(node) }
  }

  /// Adds what the next commit did to the data.
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
