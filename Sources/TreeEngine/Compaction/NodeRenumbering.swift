/// The new ids of a tree's nodes after a compaction.
///
/// In it are all nodes of the tree, ``NodeID/forestRoot``, and the removed ones that some change
/// list may still name.
public struct NodeRenumbering: Sendable {
  private static let gone: Int32 = -1

  /// By old index.
  private var new: [Int32]

  /// - Parameters:
  ///   - order: the old ids of what is there, by new index.
  ///   - count: how many ids were given out before.
  init(_ order: [NodeID], of count: Int) {
    new = Array(repeating: Self.gone, count: count)
    for (index, node) in order.enumerated() { new[node.offset] = Int32(index) }
  }

  /// The id of a node from now on; nil where none is known of it any more.
  ///
  /// - Complexity: O(1).
  public subscript(_ old: NodeID) -> NodeID? {
    let index = new[old.offset]
    return index == Self.gone ? nil : NodeID(index)
  }

  /// The id of a node that must not be forgotten.
  func of(_ old: NodeID) -> NodeID {
    guard let node = self[old] else { preconditionFailure("a node is gone that is still named") }
    return node
  }

  /// A row that was taken out, by the new ids.
  func of<Width>(_ row: RowDelta<Width>.Listed) -> RowDelta<Width>.Listed {
    RowDelta.Listed(node: of(row.node), parent: of(row.parent), depth: row.depth)
  }

  /// Nodes by their new ids.
  func of(_ nodes: Set<NodeID>) -> Set<NodeID> {
    var renumbered = Set<NodeID>(minimumCapacity: nodes.count)
    for node in nodes { renumbered.insert(of(node)) }
    return renumbered
  }

  /// What is known of nodes, under their new ids.
  func of<Value>(_ values: NodeTable<Value>) -> NodeTable<Value> {
    var renumbered = NodeTable<Value>(minimumCapacity: values.count)
    values.forEach { renumbered[of($0)] = $1 }
    return renumbered
  }
}
