@testable import TreeEngine

// Long steps that nobody counts.
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
}
