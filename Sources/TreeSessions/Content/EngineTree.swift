import TreeDomain
import TreeEngine

/// The engine's tree, with steps that a meter counts and may stop.
typealias EngineTree = Tree<64>

extension EngineTree {
  /// The JSON of a node without an object.
  static var null: [UInt8] { nullBytes }

  /// Returns the object of a node as JSON.
  func json(of node: NodeID) -> ArraySlice<UInt8> {
    let object = object(of: node)
    return object.isEmpty ? nullBytes[...] : object
  }

  /// Returns true if a node is a section; see ``TreeSections``.
  func isSection(_ node: NodeID) -> Bool {
    node != .forestRoot && parent(of: node) == .forestRoot
  }

  /// Returns the children of a node.
  ///
  /// - Throws: The errors of the meter.
  /// - Complexity: O(*k* log *n*) for *k* children.
  func children(of parent: NodeID, counting meter: WorkMeter) throws(ServiceError) -> [NodeID] {
    var found: [NodeID] = []
    found.reserveCapacity(childCount(of: parent))
    try meter.relay {
      forEachChild(of: parent) { node in
        found.append(node)
        return meter.proceeds()
      }
    }
    return found
  }

  /// Visits all nodes in pre-order, after a given one.
  ///
  /// - Parameters:
  ///   - node: The node after which the walk begins; `nil` for all nodes.
  ///   - meter: Counts the nodes.
  ///   - body: Returns false to end the walk.
  /// - Throws: The errors of the meter or of the body.
  /// - Complexity: O(nodes visited + log *n*).
  func forEachNode(
    after node: NodeID? = nil,
    counting meter: WorkMeter,
    _ body: (NodeID) throws(ServiceError) -> Bool
  ) throws(ServiceError) {
    try meter.relay {
      forEachNode(after: node) { node in
        meter.proceeds { () throws(ServiceError) in try body(node) }
      }
    }
  }

  /// Runs a long read, which the meter may stop.
  ///
  /// - Throws: The errors of the meter.
  func counted<Value>(
    by meter: WorkMeter,
    _ read: (borrowing EngineTree, StepCounter) throws(Interruption) -> Value
  ) throws(ServiceError) -> Value {
    try meter.relay { () throws(Interruption) in
      try read(self) { steps throws(Interruption) in try meter.step(steps) }
    }
  }

  /// Runs a step that sorts siblings by an order.
  ///
  /// - Throws: The errors of the meter.
  mutating func sorting<Value>(
    by order: SortOrder,
    _ meter: WorkMeter,
    _ step: (inout EngineTree, ViewSorter, StepCounter) throws(Interruption) -> Value
  ) throws(ServiceError) -> Value {
    let sorter = ViewSorter(order, counting: meter)
    return try meter.relay { () throws(Interruption) in
      try step(&self, sorter) { steps throws(Interruption) in try meter.step(steps) }
    }
  }

  /// Returns true if a node matches a filter.
  ///
  /// A section never matches.
  ///
  /// - Throws: The errors of the meter.
  func matches(
    _ filter: Filter,
    _ node: NodeID,
    counting meter: WorkMeter
  ) throws(ServiceError) -> Bool {
    guard parent(of: node) != .forestRoot else { return false }
    return try filter.matches(SortOrder.Subject(of: node, in: self), counting: meter.count)
  }
}

private let nullBytes = Array("null".utf8)

extension SortOrder.Subject {
  /// Reads the key and object of a node, for sorting.
  init(of node: NodeID, in tree: borrowing EngineTree) {
    self.init(key: tree.key(of: node), object: tree.json(of: node))
  }
}
