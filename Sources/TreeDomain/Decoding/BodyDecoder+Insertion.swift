import JSON
import TreeEngine

extension BodyDecoder {
  /// Makes an insertion of what was read, in one of its two forms.
  @inline(__always)
  mutating func insertion(
    _ name: OperationName,
    _ fields: OperationFields
  ) throws(ServiceError) -> Operation {
    let section = try rootSection(fields)
    let nodes = try insertedNodes(fields)
    guard name == .put else {
      return .insert(
        nodes: nodes,
        parent: fields.parent.key,
        section: section,
        place: fields.place
      )
    }
    return .put(
      nodes: nodes,
      parent: fields.parent,
      section: section,
      place: fields.place,
      givesChildren: fields.reserved != nil
    )
  }

  /// Makes the inserted node, or completes it where its children follow it already.
  private mutating func insertedNodes(
    _ fields: OperationFields
  ) throws(ServiceError) -> Range<Int> {
    let key = try required(fields.key)
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
      return position..<(position + 1)
    }
    try checkSections(of: (position + 1)..<nodes.count, pointer: "children/") { _ in false }
    nodes[position] = node
    return position..<nodes.count
  }
}
