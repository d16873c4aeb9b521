public enum ViewOrder: Sendable { case depthFirst, breadthFirst }
extension ViewRow { public var isMatched: Bool? { nil } }
extension SizedTree {
  public mutating func settle(
    _ id: ViewID,
    keepingCopy: Bool = false,
    matches: (borrowing SizedTree, NodeID) -> Bool
  ) {}
  public func hasLayerChanges(in id: ViewID) -> Bool { false }
  public func unfilteredToggledNodes(in id: ViewID) -> [NodeID] { toggledNodes(in: id) }
  public func unfilteredRule(of id: ViewID) -> ExpansionRule { rule(of: id) }
  public mutating func setUnfilteredRule(_ rule: ExpansionRule, toggling: [NodeID], in id: ViewID) {
    setRule(rule, toggling: toggling, in: id)
  }
  public mutating func setOrder(_ order: ViewOrder, in id: ViewID) {}
  public mutating func setFilter(_ on: Bool, in id: ViewID) {}
}
