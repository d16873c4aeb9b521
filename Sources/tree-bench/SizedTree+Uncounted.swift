import TreeEngine

// Long steps that nobody counts.
extension SizedTree<Fanout<64>> {
  mutating func setRule(_ rule: ExpansionRule, in id: ViewID) {
    uncounted { tree, count throws(Interruption) in
      try tree.setRule(rule, in: id, counting: count)
    }
  }

  mutating func setFilter(_ isOn: Bool, in id: ViewID) {
    uncounted { tree, count throws(Interruption) in
      try tree.setFilter(isOn, in: id, counting: count)
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

  mutating func remove(_ node: NodeID) {
    uncounted { tree, count throws(Interruption) in try tree.remove(node, counting: count) }
  }

  mutating func move(
    _ node: NodeID,
    under parent: NodeID,
    at index: Int
  ) throws(TreeError) {
    try move(node, under: parent, at: index, counting: { _ in })
  }

  func changes(of id: ViewID) -> ChangeList {
    read { tree, count throws(Interruption) in try tree.changes(of: id, counting: count) }
  }

  func changes(of id: ViewID, since number: Int) -> ChangeList {
    read { tree, count throws(Interruption) in
      try tree.changes(of: id, since: number, counting: count)
    }
  }

  /// Updates the rows of a view without counting steps.
  mutating func updateRowsUncounted(_ view: ViewID, matches: (borrowing SizedTree, NodeID) -> Bool)
  {
    do throws(Interruption) {
      try updateRows(view) { _ in
      } matches: { tree, node in
        matches(tree, node)
      }
    } catch {
      preconditionFailure("nothing stopped the work")
    }
  }

  private mutating func uncounted(
    _ step: (inout SizedTree, StepCounter) throws(Interruption) -> Void
  ) {
    do throws(Interruption) {
      try step(&self) { _ in }
    } catch {
      preconditionFailure("nothing stopped the step")
    }
  }

  private func read(
    _ read: (borrowing SizedTree, StepCounter) throws(Interruption) -> ChangeList
  ) -> ChangeList {
    do throws(Interruption) {
      return try read(self) { _ in }
    } catch {
      preconditionFailure("nothing stopped the reading")
    }
  }
}
