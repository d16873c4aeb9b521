import JSON
import TreeEngine

/// The members of a nested node.
private enum NodeField: String, CaseIterable {
  case key, object, children, childCount, section
  static let table = FieldTable<NodeField>()
}

/// The words that stand for children that are not listed.
private enum ChildrenWord: String, CaseIterable {
  case unloaded, loading, failed
  static let table = FieldTable<ChildrenWord>()

  var state: ChildState {
    switch self {
    case .unloaded: .unloaded
    case .loading: .loading
    case .failed: .failed
    }
  }
}

/// A nested node whose object is still being read.
private struct OpenNode {
  /// Its position in the list of nodes.
  var position: Int
  var seen = SeenMembers()
  var hasKey = false
}

extension BodyDecoder {
  /// What the children of a node that comes along with another can be.
  static let childrenAdvice = "This must be a list of nodes, null or \"unloaded\"."
  /// Where a number of children can be given.
  static let countAdvice = "childCount goes with children that are not here; leave it out."

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

  /// The value of `children` of an operation; listed nodes are appended with the given depth.
  mutating func childrenOfOperation(depth: Int) throws(ServiceError) -> ChildState {
    switch try cursor.peekKind() {
    case .null:
      try cursor.readNull()
      return .leaf
    case .array:
      try nodeList(depth: depth)
      return .loaded
    case .string:
      if let word = try cursor.readWord(of: ChildrenWord.table) { return word.state }
      fallthrough
    default:
      throw cursor.invalid(
        "This must be a list of nodes, null, \"unloaded\", \"loading\" or \"failed\"."
      )
    }
  }

  /// The value of `children` of a nested node, if it is no list.
  mutating func unlistedChildren() throws(ServiceError) -> ChildState {
    switch try cursor.peekKind() {
    case .null:
      try cursor.readNull()
      return .leaf
    case .string:
      if try cursor.readWord(of: ChildrenWord.table) == .unloaded { return .unloaded }
      fallthrough
    default:
      throw cursor.invalid(BodyDecoder.childrenAdvice)
    }
  }

  /// A list of nested nodes, read without recursion; those at its top may name sections.
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
      let hasBegunChildren = try members(of: &open[open.count - 1], isAtTop: open.count == 1)
      if !hasBegunChildren {
        open.removeLast()
      }
    }
  }

  /// Reads members up to the end of the node, or to the first of its children.
  ///
  /// Returns whether a list of children has begun, which must be read before the members go on.
  private mutating func members(
    of node: inout OpenNode,
    isAtTop: Bool
  ) throws(ServiceError) -> Bool {
    while let field = try cursor.nextField(of: NodeField.table, &node.seen) {
      switch field {
      case .key:
        nodes[node.position].key = try key().range
        node.hasKey = true
      case .object: nodes[node.position].object = try rawValue().range
      case .children:
        if try cursor.peekKind() == .array {
          nodes[node.position].childState = .loaded
          try cursor.beginArray()
          return true
        }
        nodes[node.position].childState = try unlistedChildren()
      case .childCount: nodes[node.position].hint = try cursor.readCount()
      case .section:
        guard isAtTop else { throw cursor.invalid("Only roots are in sections; leave it out.") }
        rootSections[node.position] = try sectionName()
      }
    }
    try complete(node)
    return false
  }

  /// Checks a node whose members were all read.
  private mutating func complete(_ node: OpenNode) throws(ServiceError) {
    guard node.hasKey else { throw cursor.invalid("A node needs a key; give it one.") }
    if nodes[node.position].hint != nil, nodes[node.position].childState != .unloaded {
      throw cursor.invalid(BodyDecoder.countAdvice, member: "childCount")
    }
    if nodes[node.position].object.isEmpty {
      nodes[node.position].object = null().range
    }
  }
}
