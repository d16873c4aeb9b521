import JSON
import TreeEngine

/// The members of a nested node.
enum NodeField: Int, CaseIterable {
  case key, object, children, childCount, section
  static let table = FieldTable<NodeField> { "\($0)" }
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
  var fields = NodeFields()
}

extension BodyDecoder {
  /// What the children of a node that comes along with another can be.
  static let childrenAdvice = "This must be a list of nodes, null or \"unloaded\"."
  /// Where a number of children can be given.
  static let countAdvice = "childCount goes with children that are not here; leave it out."

  /// Makes room for a node whose members are read afterwards, since its children follow it.
  mutating func reserveNode(depth: Int) throws(ServiceError) -> Int {
    try append(NewNode(key: 0..<0, object: 0..<0, depth: depth, childState: .leaf))
    return nodes.count - 1
  }

  @inline(__always)
  mutating func append(_ node: NewNode) throws(ServiceError) {
    let limit = cursor.limits.maxNodes
    guard nodes.count < limit else {
      throw cursor.tooLarge(
        "The body has more than \(limit) nodes; send them in parts.",
        limit: limit
      )
    }
    nodes.append(node)
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
    let body = cursor.reader.bytes
    let text = body.span
    var open: [OpenNode] = []
    try cursor.beginArray()
    while true {
      if try cursor.nextElement() {
        var node = OpenNode(position: try reserveNode(depth: depth + open.count))
        var place = try cursor.objectPlace()
        if take(&node, from: &place, text) {
          cursor.resume(at: place.offset)
          try complete(node)
          continue
        }
        cursor.enterObject(at: place)
        open.append(node)
      } else if open.isEmpty {
        return
      }
      if try hasEnded(&open[open.count - 1], isAtTop: open.count == 1, text) {
        try complete(open.removeLast())
      }
    }
  }

  /// Reads members of an object that comes next, as long as they need no care; whether it ends.
  private func take(
    _ node: inout OpenNode,
    from place: inout MemberPlace,
    _ text: Span<UInt8>
  ) -> Bool {
    let depth = cursor.reader.depth + 1
    return depth <= cursor.limits.maxJSONDepth
      && node.fields.takeMembers(from: &place, text, cursor.limits)
  }

  /// Reads members up to the end of the node, or to the first of its children.
  ///
  /// Returns whether it has ended; otherwise a list of children has begun, which must be read
  /// before the members go on.
  private mutating func hasEnded(
    _ node: inout OpenNode,
    isAtTop: Bool,
    _ text: Span<UInt8>
  ) throws(ServiceError) -> Bool {
    while let field = try cursor.nextField(of: NodeField.table, &node.fields.seen) {
      switch field {
      case .key: node.fields.key = try key()
      case .object: node.fields.object = try rawValue()
      case .children:
        if try cursor.peekKind() == .array {
          node.fields.childState = .loaded
          try cursor.beginArray()
          return false
        }
        node.fields.childState = try unlistedChildren()
      case .childCount: node.fields.hint = try cursor.readCount()
      case .section:
        guard isAtTop else { throw cursor.invalid("Only roots are in sections; leave it out.") }
        rootSections[node.position] = try sectionName()
      }
    }
    return true
  }

  /// Puts in a node whose members were all read.
  private mutating func complete(_ node: OpenNode) throws(ServiceError) {
    guard let key = node.fields.key else {
      throw cursor.invalid("A node needs a key; give it one.")
    }
    try checkNew(key)
    if node.fields.hint != nil, node.fields.childState != .unloaded {
      throw cursor.invalid(BodyDecoder.countAdvice, member: "childCount")
    }
    nodes[node.position].key = key.range
    nodes[node.position].object = (node.fields.object ?? null()).range
    nodes[node.position].childState = node.fields.childState
    nodes[node.position].hint = node.fields.hint
  }
}
