import JSON
import TreeEngine

extension BodyDecoder {
  /// Reads the member `children` with the fast reader, if it comes next as a list of nodes without
  /// children.
  ///
  /// - Returns: `false` for anything else. Nothing has changed then.
  mutating func parseChildren(
    _ fields: inout OperationFields,
    from place: inout MemberPlace,
    _ text: Span<UInt8>,
    depth: Int
  ) -> Bool {
    let position = OperationField.children.position
    var quick = QuickReader(at: place.offset)
    guard
      !place.isAtFirst, quick.pass(#","children":["#, text), !fields.seen.contains(position),
      depth + 1 < cursor.limits.maxJSONDepth, nodes.count < cursor.limits.maxNodes
    else { return false }
    let reserved = nodes.count
    nodes.append(NewNode(key: 0..<0, object: 0..<0, depth: 0, childState: .leaf))
    guard quick.passList(text, { parseNode(&$0, text, level: 1) }) else {
      nodes.removeSubrange(reserved...)
      return false
    }
    fields.reserved = reserved
    fields.childState = .loaded
    _ = fields.seen.insert(position)
    place = MemberPlace(offset: quick.offset, isAtFirst: false)
    return true
  }

  /// Reads a node of the list and appends it with the depth `level`.
  mutating func parseNode(
    _ quick: inout QuickReader,
    _ text: Span<UInt8>,
    level: Int
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
        object: (fields.object ?? null()).range,
        depth: level,
        childState: fields.childState,
        hint: fields.hint
      )
    )
    return true
  }
}
