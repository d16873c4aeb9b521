import JSON
import TreeEngine

/// The nodes of a body, which are read from its cursor.
struct NodeDecoder {
  /// A nested node whose object is being read.
  private struct OpenNode {
    /// The position in the list of nodes.
    var position: Int
    var depth: Int
    var fields = NodeFields()

    init(at position: Int, depth: Int) {
      self.position = position
      self.depth = depth
    }
  }

  /// The nodes read so far.
  private(set) var nodes: [NewNode] = []
  /// The sections of roots, by their positions in `nodes`.
  private(set) var rootSections: [Int: ByteSlice] = [:]
  /// The slice of a literal `null`, for nodes without an object.
  private var nullLiteral: ByteSlice?

  /// Reserves memory for nodes.
  mutating func reserveCapacity(_ count: Int) { nodes.reserveCapacity(count) }

  /// Reserves the position of a node whose members are read later, because its children follow it.
  mutating func reserveNode(
    depth: Int,
    _ cursor: inout BodyCursor
  ) throws(ServiceError) -> Int {
    try append(NewNode(key: 0..<0, object: 0..<0, depth: depth, childState: .leaf), &cursor)
    return nodes.count - 1
  }

  @inline(__always)
  mutating func append(
    _ node: NewNode,
    _ cursor: inout BodyCursor
  ) throws(ServiceError) {
    let limit = cursor.limits.maxNodes
    guard nodes.count < limit else {
      throw cursor.tooLarge(
        "The body has more than \(limit) nodes; send them in parts.",
        limit: limit
      )
    }
    nodes.append(node)
  }

  /// Sets the members of a reserved node.
  mutating func set(_ node: NewNode, at position: Int) { nodes[position] = node }

  /// Moves nodes one level up.
  mutating func raise(_ positions: Range<Int>) {
    for position in positions { nodes[position].depth -= 1 }
  }

  /// Removes the nodes from a position on.
  mutating func removeNodes(from position: Int) { nodes.removeSubrange(position...) }

  /// Returns the slice of a literal `null`.
  mutating func null(_ cursor: inout BodyCursor) -> ByteSlice {
    if let nullLiteral { return nullLiteral }
    let literal = cursor.append("null".utf8)
    nullLiteral = literal
    return literal
  }

  /// Reads the value of `children` of an operation.
  ///
  /// Appends listed nodes with the given depth.
  mutating func readChildren(
    depth: Int,
    _ cursor: inout BodyCursor
  ) throws(ServiceError) -> ChildState {
    guard try cursor.peekKind() == .array else { return try cursor.readChildState() }
    try readList(depth: depth, &cursor)
    return .loaded
  }

  /// Reads a list of nested nodes without recursion.
  ///
  /// The topmost nodes may name sections.
  mutating func readList(depth: Int, _ cursor: inout BodyCursor) throws(ServiceError) {
    let body = cursor.reader.bytes
    let text = body.span
    var open: [OpenNode] = []
    try cursor.beginArray()
    while true {
      if try cursor.nextElement() {
        let depth = depth + open.count
        var node = OpenNode(at: try reserveNode(depth: depth, &cursor), depth: depth)
        var place = try cursor.objectPlace()
        if Self.parse(&node, from: &place, text, &cursor) {
          cursor.resume(at: place.offset)
          try complete(node, &cursor)
          continue
        }
        cursor.enterObject(at: place)
        open.append(node)
      } else if open.isEmpty {
        return
      }
      if try hasEnded(&open[open.count - 1], isAtTop: open.count == 1, &cursor) {
        try complete(open.removeLast(), &cursor)
      }
    }
  }

  /// Reads the members of the next object with the fast reader.
  ///
  /// Returns true if the object has ended.
  private static func parse(
    _ node: inout OpenNode,
    from place: inout MemberPlace,
    _ text: Span<UInt8>,
    _ cursor: inout BodyCursor
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
    _ cursor: inout BodyCursor
  ) throws(ServiceError) -> Bool {
    while let field = try cursor.nextField(of: NodeField.table, &node.fields.seen) {
      switch field {
      case .key: node.fields.key = try cursor.readKey()
      case .object: node.fields.object = try cursor.readRawValue()
      case .children:
        if try cursor.peekKind() == .array {
          node.fields.childState = .loaded
          try cursor.beginArray()
          return false
        }
        node.fields.childState = try cursor.readUnlistedChildren()
      case .childCount: node.fields.hint = try cursor.readCount()
      case .section:
        guard isAtTop else { throw cursor.invalid("Only roots are in sections; leave it out.") }
        rootSections[node.position] = try cursor.readSectionName()
      }
    }
    return true
  }

  /// Stores a node whose members were all read.
  private mutating func complete(
    _ node: OpenNode,
    _ cursor: inout BodyCursor
  ) throws(ServiceError) {
    guard let key = node.fields.key else {
      throw cursor.invalid("A node needs a key; give it one.")
    }
    try cursor.checkNew(key)
    if node.fields.hint != nil, node.fields.childState != .unloaded {
      throw cursor.misplacedCount
    }
    nodes[node.position] = NewNode(
      key: key.range,
      object: (node.fields.object ?? null(&cursor)).range,
      depth: node.depth,
      childState: node.fields.childState,
      hint: node.fields.hint
    )
  }

  /// Reads a list of nodes without children with the fast reader, after its opening bracket.
  ///
  /// - Parameters:
  ///   - quick: The fast reader.
  ///   - text: The body.
  ///   - cursor: The cursor, to which a literal `null` may be appended.
  /// - Returns: The position of a node that is reserved for the parent and has depth 0; its
  ///   children follow it. Nil for anything else; no node was appended then.
  mutating func parseList(
    _ quick: inout QuickReader,
    _ text: Span<UInt8>,
    _ cursor: inout BodyCursor
  ) -> Int? {
    guard nodes.count < cursor.limits.maxNodes else { return nil }
    let reserved = nodes.count
    nodes.append(NewNode(key: 0..<0, object: 0..<0, depth: 0, childState: .leaf))
    guard quick.passList(text, { parseNode(&$0, text, &cursor) }) else {
      nodes.removeSubrange(reserved...)
      return nil
    }
    return reserved
  }

  /// Reads a node of the list and appends it with depth 1.
  private mutating func parseNode(
    _ quick: inout QuickReader,
    _ text: Span<UInt8>,
    _ cursor: inout BodyCursor
  ) -> Bool {
    guard quick.pass(UInt8(ascii: "{"), text), nodes.count < cursor.limits.maxNodes else {
      return false
    }
    var place = MemberPlace(offset: quick.offset, isAtFirst: true)
    var fields = NodeFields()
    guard
      fields.parseMembers(from: &place, text, cursor.limits), let key = fields.key,
      fields.hint == nil || fields.childState == .unloaded
    else { return false }
    quick.offset = place.offset
    nodes.append(
      NewNode(
        key: key.range,
        object: (fields.object ?? null(&cursor)).range,
        depth: 1,
        childState: fields.childState,
        hint: fields.hint
      )
    )
    return true
  }

  /// Refuses topmost nodes of a list that name a section where they cannot be.
  ///
  /// `pointer` is the member with the list, or `nil` if it is the whole body.
  func checkSections(
    of listed: Range<Int>,
    _ pointer: String?,
    _ cursor: inout BodyCursor,
    _ isAllowed: (ByteSlice) -> Bool
  ) throws(ServiceError) {
    guard !rootSections.isEmpty, let first = listed.first else { return }
    var index = -1
    for node in listed where nodes[node].depth == nodes[first].depth {
      index += 1
      guard let section = rootSections[node], !isAllowed(section) else { continue }
      throw cursor.invalid(
        "Only roots are in sections, and here only in the one that is named beside them.",
        member: (pointer.map { $0 + "/" } ?? "") + "\(index)/section"
      )
    }
  }
}
