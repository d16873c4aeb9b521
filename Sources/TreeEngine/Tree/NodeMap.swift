/// Values of nodes, in the order of their insertion.
struct NodeMap<Value: Sendable>: Sendable {
  /// The nodes that have a value.
  private(set) var keys = NodeSet()
  /// Their values, in the order of ``NodeSet/nodes``.
  private(set) var values: [Value] = []

  /// The number of nodes that have a value.
  var count: Int { values.count }

  /// The first inserted node and its value.
  var first: (node: NodeID, value: Value)? {
    values.isEmpty ? nil : (keys.nodes[0], values[0])
  }

  /// Returns the value of a node; nil if it has none.
  ///
  /// - Complexity: O(1) expected.
  subscript(node: NodeID) -> Value? { keys.place(of: node).map { values[$0] } }

  /// Inserts a value for a node that has none; an existing value is kept.
  ///
  /// - Complexity: O(1) expected, amortised.
  mutating func insert(_ node: NodeID, _ value: @autoclosure () -> Value) {
    if keys.insert(node) { values.append(value()) }
  }

  /// Changes the value of a node, if it has one.
  mutating func update(_ node: NodeID, _ body: (inout Value) -> Void) {
    if let place = keys.place(of: node) { body(&values[place]) }
  }

  /// Removes all values, and keeps the capacity if it is at most `count`.
  mutating func removeAll(keepingRoomFor count: Int) {
    keys.removeAll(keepingRoomFor: count)
    values.removeAll(keepingRoomFor: count)
  }
}
