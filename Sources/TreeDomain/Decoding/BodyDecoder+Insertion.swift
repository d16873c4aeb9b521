import JSON
import TreeEngine

extension BodyDecoder {
  /// Makes an insertion of what was read, in one of its two forms.
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
      givesChildren: fields.has(.children)
    )
  }

  /// Completes the reserved node; its children, if any, follow it already.
  private mutating func insertedNodes(
    _ fields: OperationFields
  ) throws(ServiceError) -> Range<Int> {
    let key = try required(fields.key)
    if fields.childState == .loading || fields.childState == .failed {
      throw cursor.invalid(BodyDecoder.childrenAdvice, member: "children")
    }
    if let count = fields.childCount {
      guard fields.childState == .unloaded else {
        throw cursor.invalid(BodyDecoder.countAdvice, member: "childCount")
      }
      nodes[fields.node].hint = count
    }
    try checkSections(of: (fields.node + 1)..<nodes.count, pointer: "children/") { _ in false }
    nodes[fields.node].key = key.range
    nodes[fields.node].object = (fields.object ?? null()).range
    nodes[fields.node].childState = fields.childState
    return fields.node..<nodes.count
  }
}
