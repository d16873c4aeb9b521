extension RangeMinTree {
  /// Recomputes everything that a tree stores and compares it.
  ///
  /// For tests.
  ///
  /// - Complexity: O(*n*).
  func checkInvariants(of root: Root) {
    precondition(place(of: root.node, height: root.height) == -1, "a root hangs somewhere")
    var pending = [root]
    while let next = pending.popLast() {
      let count = count(of: next.node, height: next.height)
      precondition(count <= capacity(height: next.height), "a node is overfull")
      let isFilled = next == root || count >= minimumFill(height: next.height)
      precondition(isFilled, "a node is underfull")
      if next.height == 0 { checkLeaf(next.node) } else { pending += checkedChildren(of: next) }
    }
  }

  private func checkLeaf(_ leaf: Int32) {
    for slot in 0..<count(ofLeaf: leaf) {
      let owner = self[leaf, slot].owner
      precondition(owner < 0 || leafOf[Int(owner)] == leaf, "an item does not know its leaf")
    }
  }

  private func checkedChildren(of root: Root) -> [Root] {
    precondition(inners[Int(root.node)].height == root.height, "an inner node has a wrong height")
    precondition(inners[Int(root.node)].count >= 2, "an inner node has fewer than two children")
    return places(of: root.node).map { place in
      let child = children[place]
      let height = root.height - 1
      precondition(self.place(of: child, height: height) == place, "a child hangs elsewhere")
      precondition(summaries[place] == summary(of: child, height: height), "a summary is stale")
      return Root(node: child, height: height)
    }
  }
}
