/// A map from the ids of a tree's nodes before a compaction to those after it.
///
/// It contains all nodes of the tree, ``NodeID/forestRoot``, and removed nodes that a change list
/// may still name.
public struct NodeRenumbering: Sendable {
  private static let gone: Int32 = -1

  /// The new index of each old index, or `gone`.
  private var new: [Int32]

  /// Makes the map.
  ///
  /// - Parameters:
  ///   - order: The old ids of the kept nodes, in the order of their new ids.
  ///   - count: The number of ids in use before the compaction.
  init(_ order: [NodeID], of count: Int) {
    new = Array(repeating: Self.gone, count: count)
    for (index, node) in order.enumerated() { new[node.offset] = Int32(index) }
  }

  /// The new id of a node, or nil if the node was not kept.
  ///
  /// - Complexity: O(1).
  public subscript(_ old: NodeID) -> NodeID? {
    let index = new[old.offset]
    return index == Self.gone ? nil : NodeID(index)
  }

  /// Returns the new id of a node.
  ///
  /// - Precondition: The node was kept.
  func of(_ old: NodeID) -> NodeID {
    guard let node = self[old] else { preconditionFailure("a node is gone that is still named") }
    return node
  }

  /// Returns a listed row with its new ids.
  func of<Width>(_ row: RowDelta<Width>.Listed) -> RowDelta<Width>.Listed {
    RowDelta.Listed(node: of(row.node), parent: of(row.parent), depth: row.depth)
  }

  /// Returns the new ids of nodes.
  func of(_ nodes: Set<NodeID>) -> Set<NodeID> {
    var renumbered = Set<NodeID>(minimumCapacity: nodes.count)
    for node in nodes { renumbered.insert(of(node)) }
    return renumbered
  }

  /// Returns a table of values under the new ids.
  func of<Value>(_ values: NodeTable<Value>) -> NodeTable<Value> {
    var renumbered = NodeTable<Value>(minimumCapacity: values.count)
    values.forEach { renumbered[of($0)] = $1 }
    return renumbered
  }
}
