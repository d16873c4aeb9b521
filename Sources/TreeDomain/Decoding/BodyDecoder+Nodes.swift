import JSON
import TreeEngine

/// The members of a nested node.
private enum NodeField: String, CaseIterable {
  case key, object, children
  static let table = FieldTable<NodeField>()
}

/// The words that stand for children that are not listed.
private enum ChildrenWord: String, CaseIterable {
  case unloaded
  static let table = FieldTable<ChildrenWord>()
}

/// A nested node whose object is still being read.
private struct OpenNode {
  /// Its position in the list of nodes.
  var position: Int
  var seen = SeenMembers()
  var hasKey = false
}

extension BodyDecoder {
  /// Makes room for a node whose members are read afterwards, since its children follow it.
  mutating func reserveNode(depth: Int) throws(ServiceError) -> Int {
    let limit = cursor.limits.maxNodes
    guard nodes.count < limit else {
      throw cursor.tooLarge(
        "The body has more than \(limit) nodes; send them in parts.",
        limit: limit
      )
    }
    nodes.append(NewNode(key: 0..<0, object: 0..<0, depth: depth, childState: .leaf))
    return nodes.count - 1
  }

  /// The value of `children`; listed nodes are appended with the given depth.
  mutating func children(depth: Int) throws(ServiceError) -> ChildState {
    switch try cursor.peekKind() {
    case .null:
      try cursor.readNull()
      return .leaf
    case .array:
      try nodeList(depth: depth)
      return .loaded
    case .string:
      if try cursor.readWord(of: ChildrenWord.table) == .unloaded { return .unloaded }
      fallthrough
    default:
      throw cursor.invalid("This must be a list of nodes, null or \"unloaded\".")
    }
  }

  /// A list of nested nodes, read without recursion.
  mutating func nodeList(depth: Int) throws(ServiceError) {
    var open: [OpenNode] = []
    try cursor.beginArray()
    while true {
      if try cursor.nextElement() {
        let position = try reserveNode(depth: depth + open.count)
        try cursor.beginObject()
        open.append(OpenNode(position: position))
      } else if open.isEmpty {
        return
      }
      let hasBegunChildren = try members(of: &open[open.count - 1])
      if !hasBegunChildren {
        open.removeLast()
      }
    }
  }

  /// Reads members up to the end of the node, or to the first of its children.
  ///
  /// Returns whether a list of children has begun, which must be read before the members go on.
  private mutating func members(of node: inout OpenNode) throws(ServiceError) -> Bool {
    while let field = try cursor.nextField(of: NodeField.table, &node.seen) {
      switch field {
      case .key:
        nodes[node.position].key = try key().range
        node.hasKey = true
      case .object:
        nodes[node.position].object = try rawValue().range
      case .children:
        if try cursor.peekKind() == .array {
          nodes[node.position].childState = .loaded
          try cursor.beginArray()
          return true
        }
        nodes[node.position].childState = try children(depth: 0)
      }
    }
    guard node.hasKey else { throw cursor.invalid("A node needs a key; give it one.") }
    if nodes[node.position].object.isEmpty {
      nodes[node.position].object = null().range
    }
    return false
  }
}
