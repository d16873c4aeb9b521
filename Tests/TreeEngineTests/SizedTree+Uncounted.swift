@testable import TreeEngine

// Long steps without a step counter.
extension SizedTree {
  private mutating func uncounted(
    _ step: (inout SizedTree, StepCounter) throws(Interruption) -> Void
  ) {
    do throws(Interruption) {
      try step(&self) { _ in }
    } catch {
      preconditionFailure("nothing stopped the step")
    }
  }

  mutating func expand(_ node: NodeID, levels: Int, in id: ViewID) {
    uncounted { tree, count throws(Interruption) in
      let nodes = try tree.collapsedNodes(from: node, levels: levels, in: id, counting: count)
      try tree.expand(nodes, in: id, counting: count)
    }
  }

  mutating func collapse(_ node: NodeID, levels: Int, in id: ViewID) {
    uncounted { tree, count throws(Interruption) in
      try tree.collapse(node, levels: levels, in: id, counting: count)
    }
  }

  mutating func reveal(_ nodes: [NodeID], in id: ViewID) {
    uncounted { tree, count throws(Interruption) in
      try tree.reveal(nodes, in: id, counting: count)
    }
  }

  mutating func selectSubtree(of node: NodeID, in id: ViewID) {
    uncounted { tree, count throws(Interruption) in
      try tree.selectSubtree(of: node, in: id, counting: count)
    }
  }

  mutating func deselectSubtree(of node: NodeID, in id: ViewID) {
    uncounted { tree, count throws(Interruption) in
      try tree.deselectSubtree(of: node, in: id, counting: count)
    }
  }

  mutating func clearSelection(in id: ViewID) {
    uncounted { tree, count throws(Interruption) in
      try tree.clearSelection(in: id, counting: count)
    }
  }

  mutating func setRule(
    _ rule: ExpansionRule,
    toggling exceptions: [NodeID] = [],
    in id: ViewID
  ) {
    uncounted { tree, count throws(Interruption) in
      try tree.setRule(rule, toggling: exceptions, in: id, counting: count)
    }
  }

  mutating func setUnfilteredRule(_ rule: ExpansionRule, in id: ViewID) {
    uncounted { tree, count throws(Interruption) in
      try tree.setUnfilteredRule(rule, in: id, counting: count)
    }
  }

  mutating func setFilter(_ isOn: Bool, in id: ViewID) {
    uncounted { tree, count throws(Interruption) in
      try tree.setFilter(isOn, in: id, counting: count)
    }
  }

  mutating func setOrder(_ order: ViewOrder, in id: ViewID) {
    uncounted { tree, count throws(Interruption) in
      try tree.setOrder(order, in: id, counting: count)
    }
  }

  mutating func setOrdering(_ ordering: OrderingID?, in id: ViewID) {
    uncounted { tree, count throws(Interruption) in
      try tree.setOrdering(ordering, in: id, counting: count)
    }
  }

  mutating func addOrdering(by sorter: any SiblingSorter<Width>) -> OrderingID {
    do throws(Interruption) {
      return try addOrdering(by: sorter) { _ in }
    } catch {
      preconditionFailure("nothing stopped the step")
    }
  }

  @discardableResult
  mutating func insert(
    _ nodes: ArraySlice<NewNode>,
    bytes: [UInt8],
    under parent: NodeID,
    at index: Int
  ) throws(TreeError) -> NodeID {
    try insert(nodes, bytes: bytes, under: parent, at: index, counting: { _ in })
  }

  mutating func make(
    _ nodes: ArraySlice<NewNode>,
    bytes: [UInt8]
  ) throws(TreeError) -> [NodeID] {
    try make(nodes, bytes: bytes, counting: { _ in })
  }

  mutating func remove(_ node: NodeID) {
    uncounted { tree, count throws(Interruption) in try tree.remove(node, counting: count) }
  }

  mutating func arrange(children: [NodeID], of parent: NodeID) {
    uncounted { tree, count throws(Interruption) in
      try tree.arrange(children: children, of: parent, counting: count)
    }
  }

  mutating func move(
    _ node: NodeID,
    under parent: NodeID,
    at index: Int
  ) throws(TreeError) {
    try move(node, under: parent, at: index, counting: { _ in })
  }

  mutating func setChildOrder(_ wanted: [NodeID], of parent: NodeID) throws(TreeError) {
    try setChildOrder(wanted, of: parent, counting: { _ in })
  }

  func changes(of id: ViewID) -> ChangeList {
    read { tree, count throws(Interruption) in try tree.changes(of: id, counting: count) }
  }

  func changes(of id: ViewID, since number: Int, isOneCommit: Bool = false) -> ChangeList {
    read { tree, count throws(Interruption) in
      try tree.changes(of: id, since: number, isOneCommit: isOneCommit, counting: count)
    }
  }

  func expandedUnloaded(in id: ViewID) -> [NodeID] {
    read { tree, count throws(Interruption) in try tree.expandedUnloaded(in: id, counting: count) }
  }

  func expandedUnloaded(in id: ViewID, since number: Int) -> [NodeID] {
    read { tree, count throws(Interruption) in
      try tree.expandedUnloaded(in: id, since: number, counting: count)
    }
  }

  var hasDataChanges: Bool {
    read { tree, count throws(Interruption) in try tree.hasDataChanges(counting: count) }
  }

  func hasExpansionChanges(in id: ViewID) -> Bool {
    read { tree, count throws(Interruption) in
      try tree.hasExpansionChanges(in: id, counting: count)
    }
  }

  func hasSelectionChanges(in id: ViewID) -> Bool {
    read { tree, count throws(Interruption) in
      try tree.hasSelectionChanges(in: id, counting: count)
    }
  }

  func hasLayerChanges(in id: ViewID) -> Bool {
    read { tree, count throws(Interruption) in try tree.hasLayerChanges(in: id, counting: count) }
  }

  func read<Value>(
    _ read: (borrowing SizedTree, StepCounter) throws(Interruption) -> Value
  ) -> Value {
    do throws(Interruption) {
      return try read(self) { _ in }
    } catch {
      preconditionFailure("nothing stopped the reading")
    }
  }
}
