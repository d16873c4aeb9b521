import JSON
import TreeEngine

extension BodyDecoder {
  /// Reads the node of the line at which the cursor was restarted.
  mutating func importedNode(_ text: Span<UInt8>) throws(ServiceError) -> Import.ImportedNode {
    var fields = ImportFields()
    var place = try cursor.objectPlace()
    if fields.parseMembers(from: &place, text, cursor.limits) {
      cursor.resume(at: place.offset)
    } else {
      try read(&fields, from: place)
    }
    return try importedNode(fields)
  }

  private mutating func read(
    _ fields: inout ImportFields,
    from place: MemberPlace
  ) throws(ServiceError) {
    cursor.enterObject(at: place)
    while let field = try cursor.nextField(of: ImportField.table, &fields.seen) {
      switch field {
      case .key: fields.key = try key()
      case .parent: fields.parent = try parent()
      case .object: fields.object = try rawValue()
      case .children: fields.childState = try importedChildren()
      case .childCount: fields.hint = try cursor.readCount()
      case .section: fields.section = try sectionName()
      }
    }
  }

  private func importedNode(_ fields: ImportFields) throws(ServiceError) -> Import.ImportedNode {
    guard let key = fields.key else {
      throw cursor.invalid("A node needs a key; give it one.")
    }
    try checkNew(key)
    if fields.hint != nil, fields.childState != .unloaded {
      throw cursor.invalid(BodyDecoder.countAdvice, member: "childCount")
    }
    var node = Import.ImportedNode(
      key: key,
      object: fields.object ?? ByteSlice(offset: 0, count: 0),
      childState: fields.childState,
      hint: fields.hint,
      line: 0
    )
    if let parent = fields.parent.key { node.above = .parent(parent) }
    guard let section = fields.section else { return node }
    guard node.above == .nothing else {
      throw cursor.invalid("Only roots are in sections; leave it out.", member: "section")
    }
    node.above = .section(section)
    return node
  }

  /// Reads the value of `children`, which must not list children.
  private mutating func importedChildren() throws(ServiceError) -> ChildState {
    guard try cursor.peekKind() == .array else { return try unlistedChildren() }
    try cursor.beginArray()
    guard try !cursor.nextElement() else {
      throw cursor.invalid("Children have lines of their own, which name their parent.")
    }
    return .loaded
  }
}
