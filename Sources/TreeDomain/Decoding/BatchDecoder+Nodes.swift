import JSON
import TreeEngine

extension BatchDecoder {
  /// Appends an `insert` operation made of its members.
  @inline(__always)
  mutating func appendInsertion(
    _ fields: inout OperationFields
  ) throws(ServiceError) {
    let section = try rootSection(&fields)
    let nodes = try insertedNodes(&fields)
    let (parent, place) = (fields.parent.key, fields.place)
    operations.append(.insert(nodes: nodes, parent: parent, section: section, place: place))
  }

  /// Appends a `put` operation made of its members.
  mutating func appendPut(_ fields: inout OperationFields) throws(ServiceError) {
    let section = try rootSection(&fields)
    let nodes = try insertedNodes(&fields)
    operations.append(
      .put(
        nodes: nodes,
        parent: fields.parent,
        section: section,
        place: fields.place,
        givesChildren: fields.reserved != nil
      )
    )
  }

  /// Appends the inserted node, or fills its reserved place if its children were read before.
  ///
  /// - Returns: The range of the node and all nodes below it.
  @inline(__always)
  private mutating func insertedNodes(
    _ fields: inout OperationFields
  ) throws(ServiceError) -> PackedRange {
    let key = try required(fields.key)
    try cursor.checkNew(key)
    if fields.childState == .loading || fields.childState == .failed {
      throw cursor.invalid(BodyCursor.childrenAdvice, member: "children")
    }
    if fields.childCount != nil, fields.childState != .unloaded {
      throw cursor.misplacedCount
    }
    let node = NewNode(
      key: key.range,
      object: (fields.object ?? nodes.null(&cursor)).range,
      depth: 0,
      childState: fields.childState,
      hint: fields.childCount
    )
    guard let position = fields.reserved else {
      let position = nodes.nodes.count
      try nodes.append(node, &cursor)
      return PackedRange(offset: position, count: 1)
    }
    try nodes.checkSections(of: (position + 1)..<nodes.nodes.count, "children", &cursor) { _ in
      false
    }
    nodes.set(node, at: position)
    return PackedRange(position..<nodes.nodes.count)
  }

  /// Makes a `setChildren` operation of its members.
  mutating func setChildren(
    _ fields: inout OperationFields
  ) throws(ServiceError) -> Operation {
    guard let reserved = fields.reserved else {
      throw cursor.invalid("Setting children needs `children`; give it.")
    }
    if fields.key != nil, fields.section != nil {
      throw cursor.invalid("Only roots are in sections; let key be null.", member: "section")
    }
    let target = fields.key.map { .node($0) } ?? ChildrenTarget.roots(section: fields.section)
    let listed = (reserved + 1)..<nodes.nodes.count
    // They were read with the depth of children of the reserved node.
    nodes.raise(listed)
    let children = try newChildren(
      of: target,
      fields.childState,
      listed,
      hint: fields.childCount,
      pointer: "children"
    )
    if case .nodes = children {} else { nodes.removeNodes(from: reserved) }
    return .setChildren(of: target, children)
  }

  /// Reads a body that consists of the value of `children`.
  mutating func setChildren(of target: ChildrenTarget) throws(ServiceError) -> Operation {
    let state = try nodes.readChildren(depth: 0, &cursor)
    try cursor.finish()
    let listed = 0..<nodes.nodes.count
    let children = try newChildren(of: target, state, listed, hint: nil, pointer: nil)
    return .setChildren(of: target, children)
  }

  /// Returns the children after checking that they fit the target.
  ///
  /// `pointer` is the member with the children, or `nil` if they are the whole body.
  private mutating func newChildren(
    of target: ChildrenTarget,
    _ state: ChildState,
    _ listed: Range<Int>,
    hint: Int32?,
    pointer: String?
  ) throws(ServiceError) -> NewChildren {
    if hint != nil, state == .leaf || state == .loaded {
      throw cursor.misplacedCount
    }
    switch (state, target) {
    case (.leaf, _): return .none
    case (.loaded, .node):
      try nodes.checkSections(of: listed, pointer, &cursor) { _ in false }
      return .nodes(PackedRange(listed))
    case (.loaded, .roots(let section)):
      let text = cursor
      let only = section.map { text.bytes(of: $0) }
      try nodes.checkSections(of: listed, pointer, &cursor) {
        only == nil || text.bytes(of: $0) == only
      }
      return .nodes(PackedRange(listed))
    case (_, .node): return .state(state, hint: hint)
    case (_, .roots):
      let advice = "The roots are a list of nodes, or null for none."
      throw pointer.map { cursor.invalid(advice, member: $0) } ?? cursor.invalid(advice)
    }
  }
}
