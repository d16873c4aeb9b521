import JSON
import TreeEngine

/// The members of a nested node.
enum NodeField: Int, CaseIterable {
  case key, object, children, childCount, section
  static let table = FieldTable<NodeField> { "\($0)" }
}

/// The words for children that are not listed.
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

/// A nested node whose object is being read.
private struct OpenNode {
  /// The position in the list of nodes.
  var position: Int
  var fields = NodeFields()
}

extension BodyDecoder {
  /// The advice about `children` of a nested node.
  static let childrenAdvice = "This must be a list of nodes, null or \"unloaded\"."
  /// The advice about `childCount`.
  static let countAdvice = "childCount goes with children that are not here; leave it out."

  /// Reserves the position of a node whose members are read later, because its children follow it.
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

  /// Reads the value of `children` of an operation.
  ///
  /// Appends listed nodes with the given depth.
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

  /// Reads the value of `children` of a nested node if it is not a list.
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

  /// Reads a list of nested nodes without recursion.
  ///
  /// The topmost nodes may name sections.
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

  /// Reads the members of the next object with the fast reader.
  ///
  /// Returns true if the object has ended.
  private func take(
    _ node: inout OpenNode,
    from place: inout MemberPlace,
    _ text: Span<UInt8>
  ) -> Bool {
    let depth = cursor.reader.depth + 1
    return depth <= cursor.limits.maxJSONDepth
      && node.fields.parseMembers(from: &place, text, cursor.limits)
  }

  /// Reads members up to the end of the node or to the start of its list of children.
  ///
  /// Returns true if the node has ended. Otherwise the list of children must be read next.
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

  /// Stores a node whose members were all read.
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
