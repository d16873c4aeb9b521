import JSON

extension BodyDecoder {
  /// Reads the remaining members of an operation's object with the careful reader, from a place on.
  mutating func read(
    _ fields: inout OperationFields,
    from start: MemberPlace,
    _ text: Span<UInt8>
  ) throws(ServiceError) {
    cursor.enterObject(at: start)
    while let field = try cursor.nextField(of: OperationField.table, &fields.seen) {
      try read(field, &fields)
      var place = MemberPlace(offset: cursor.offset, isAtFirst: false)
      if fields.parseMembers(from: &place, text, cursor.limits) {
        return cursor.leaveObject(at: place.offset)
      }
      cursor.resume(at: place.offset)
    }
  }

  private mutating func read(
    _ field: OperationField,
    _ fields: inout OperationFields
  ) throws(ServiceError) {
    switch field {
    case .op: fields.name = try operationName()
    case .key:
      fields.key = try keyOrNull()
      fields.hasKey = true
    case .keys: fields.keys = try distinctKeys()
    case .parent: fields.parent = try parent()
    case .object: fields.object = try rawValue()
    case .merge: fields.merge = try rawValue()
    case .children:
      fields.reserved = try reserveNode(depth: 0)
      fields.childState = try childrenOfOperation(depth: 1)
    case .childCount: fields.childCount = try cursor.readCount()
    case .levels: fields.levels = try levels()
    case .index, .before, .after, .first, .sort: try readPlace(field, &fields)
    case .by: fields.order = try operationOrder()
    case .section: fields.section = try sectionName()
    case .to: fields.newName = try newSectionName()
    case .select: fields.selects = try cursor.readBool()
    case .subtree: fields.subtree = try key()
    }
  }

  private mutating func readPlace(
    _ field: OperationField,
    _ fields: inout OperationFields
  ) throws(ServiceError) {
    guard case .default = fields.place else {
      throw cursor.invalid("Give at most one of index, before, after, first and sort.")
    }
    switch field {
    case .index: fields.place = .index(try cursor.readInt(atLeast: 0))
    case .before: fields.place = .before(try key())
    case .after: fields.place = .after(try key())
    case .sort: fields.place = .sorted(try operationOrder())
    default:
      try cursor.readTrue()
      fields.place = .first
    }
  }

  private mutating func operationName() throws(ServiceError) -> OperationName {
    let string = try cursor.readString()
    let written = cursor.bytes(of: string)
    guard let name = OperationName(offered: written) else {
      throw cursor.unknownOperation(Array(written))
    }
    return name
  }

  /// Reads a key, or returns `nil` for `null`.
  ///
  /// Most operations refuse `null` later.
  private mutating func keyOrNull() throws(ServiceError) -> ByteSlice? {
    guard try cursor.peekKind() == .null else { return try key() }
    try cursor.readNull()
    return nil
  }
}
