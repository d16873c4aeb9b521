import JSON
import TreeEngine

extension BodyDecoder {
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
    let listed = (reserved + 1)..<nodes.count
    // They were read with the depth of children of the reserved node.
    for node in listed { nodes[node].depth -= 1 }
    let children = try newChildren(
      of: target,
      fields.childState,
      listed,
      hint: fields.childCount,
      pointer: "children"
    )
    if case .nodes = children {} else { nodes.removeSubrange(reserved...) }
    return .setChildren(of: target, children)
  }

  /// Reads a body that consists of the value of `children`.
  mutating func setChildren(of target: ChildrenTarget) throws(ServiceError) -> Operation {
    let state = try childrenOfOperation(depth: 0)
    try cursor.finish()
    let listed = 0..<nodes.count
    let children = try newChildren(of: target, state, listed, hint: nil, pointer: nil)
    return .setChildren(of: target, children)
  }

  /// Checks that the children fit the target.
  ///
  /// `pointer` is the member with the children, or `nil` if they are the whole body.
  private func newChildren(
    of target: ChildrenTarget,
    _ state: ChildState,
    _ listed: Range<Int>,
    hint: Int32?,
    pointer: String?
  ) throws(ServiceError) -> NewChildren {
    if hint != nil, state == .leaf || state == .loaded {
      throw cursor.invalid(BodyDecoder.countAdvice, member: "childCount")
    }
    switch (state, target) {
    case (.leaf, _): return .none
    case (.loaded, .node):
      try checkSections(of: listed, pointer) { _ in false }
      return .nodes(PackedRange(listed))
    case (.loaded, .roots(let section)):
      let only = section.map { cursor.bytes(of: $0) }
      try checkSections(of: listed, pointer) { only == nil || cursor.bytes(of: $0) == only }
      return .nodes(PackedRange(listed))
    case (_, .node): return .state(state, hint: hint)
    case (_, .roots):
      let advice = "The roots are a list of nodes, or null for none."
      throw pointer.map { cursor.invalid(advice, member: $0) } ?? cursor.invalid(advice)
    }
  }

  /// Refuses topmost nodes of a list that name a section where they cannot be.
  ///
  /// `pointer` is the member with the list, or `nil` if it is the whole body.
  func checkSections(
    of listed: Range<Int>,
    _ pointer: String?,
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
