/// Values by node, in the order in which their nodes came.
struct NodeMap<Value: Sendable>: Sendable {
  /// The nodes that have a value.
  private(set) var keys = NodeSet()
  /// Their values, in the order of ``NodeSet/nodes``.
  private(set) var values: [Value] = []

  /// How many nodes have a value.
  var count: Int { values.count }

  /// The node that came first, and its value.
  var first: (node: NodeID, value: Value)? {
    values.isEmpty ? nil : (keys.nodes[0], values[0])
  }

  /// - Complexity: O(1) expected.
  subscript(node: NodeID) -> Value? { keys.place(of: node).map { values[$0] } }

  /// Gives a node a value, if it has none.
  ///
  /// - Complexity: O(1) expected, amortised.
  mutating func insert(_ node: NodeID, _ value: @autoclosure () -> Value) {
    if keys.insert(node) { values.append(value()) }
  }

  /// Forgets all values, and keeps the room for them if that is for so many at most.
  mutating func removeAll(keepingRoomFor count: Int) {
    keys.removeAll(keepingRoomFor: count)
    values.removeAll(keepingRoomFor: count)
  }
}
