extension SizedTree {
  /// Gives a node's children another order, moving the fewest.
  ///
  /// - Parameters:
  ///   - wanted: all children, each once, in the order they are to stand in.
  ///   - parent: their parent; ``NodeID/forestRoot`` for roots.
  /// - Complexity: O((*k* + moves) log *n*) for *k* children, and what moving lists.
  @specialized(where Width == Fanout<64>)
  public mutating func arrange(children wanted: [NodeID], of parent: NodeID) {
    precondition(wanted.count == childCount(of: parent), "not all children are given")
    do throws(TreeError) {
      try setChildOrder(wanted, of: parent)
    } catch {
      preconditionFailure("a child is placed among its siblings: \(error)")
    }
  }

  /// Makes nodes children of a node, in the order given, moving the fewest.
  ///
  /// Of those that are its children already, a longest subsequence that is in order stays; every
  /// other one of `wanted` is moved, from wherever it is, to right behind the one before it in
  /// `wanted`, or to be the first child. Children not wanted stay where they are, somewhere
  /// between. So a keyed diff inserts what is new anywhere below the parent, calls this with all
  /// children there are to be, and removes those that are not wanted.
  ///
  /// - Parameters:
  ///   - wanted: nodes anywhere in the tree, each once.
  ///   - parent: their parent from now on.
  /// - Throws: ``TreeError/cycle`` and ``TreeError/depthLimit(_:)`` as ``move(_:under:at:)`` does.
  ///   Some nodes may have been moved by then: the transaction is to be rolled back.
  /// - Complexity: O((*k* + moves) log *n*) for *k* nodes wanted, and what moving lists.
  @specialized(where Width == Fanout<64>)
  public mutating func setChildOrder(
    _ wanted: [NodeID],
    of parent: NodeID
  ) throws(TreeError) {
    let present = wanted.filter { forest[$0].parent == parent }
    let positions = present.map { forest.place(of: $0).position }
    let staying = Set(longestIncreasing(positions).map { present[$0] })
    precondition(Set(wanted).count == wanted.count, "a node is wanted twice")
    var last: NodeID?
    for node in wanted {
      if !staying.contains(node) { try move(node, under: parent, behind: last) }
      last = node
    }
  }

  /// Moves a node to right behind a child of its new parent, or to be the first child.
  private mutating func move(
    _ node: NodeID,
    under parent: NodeID,
    behind last: NodeID?
  ) throws(TreeError) {
    guard let last else { return try move(node, under: parent, at: 0) }
    let isBefore =
      forest[node].parent == parent
      && forest.place(of: node).position < forest.place(of: last).position
    try move(node, under: parent, at: position(of: last) + (isBefore ? 0 : 1))
  }
}
