import JSON
import TreeEngine

extension BodyDecoder {
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

  /// Appends the inserted node, or completes it if it was reserved for its children.
  @inline(__always)
  private mutating func insertedNodes(
    _ fields: inout OperationFields
  ) throws(ServiceError) -> PackedRange {
    let key = try required(fields.key)
    try checkNew(key)
    if fields.childState == .loading || fields.childState == .failed {
      throw cursor.invalid(BodyDecoder.childrenAdvice, member: "children")
    }
    if fields.childCount != nil, fields.childState != .unloaded {
      throw cursor.invalid(BodyDecoder.countAdvice, member: "childCount")
    }
    let node = NewNode(
      key: key.range,
      object: (fields.object ?? null()).range,
      depth: 0,
      childState: fields.childState,
      hint: fields.childCount
    )
    guard let position = fields.reserved else {
      let position = nodes.count
      try append(node)
      return PackedRange(offset: position, count: 1)
    }
    try checkSections(of: (position + 1)..<nodes.count, "children") { _ in false }
    nodes[position] = node
    return PackedRange(position..<nodes.count)
  }
}
