import JSON
import TreeEngine

/// The word for all levels.
private enum LevelsWord: String, CaseIterable {
  case all
  static let table = FieldTable<LevelsWord>()
}

extension BatchDecoder {
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
    case .keys: fields.keys = try keys.readDistinct(&cursor)
    case .parent: fields.parent = try cursor.readParent()
    case .object: fields.object = try cursor.readRawValue()
    case .merge: fields.merge = try cursor.readRawValue()
    case .children:
      fields.reserved = try nodes.reserveNode(depth: 0, &cursor)
      fields.childState = try nodes.readChildren(depth: 1, &cursor)
    case .childCount: fields.childCount = try cursor.readCount()
    case .levels: fields.levels = try levels()
    case .index, .before, .after, .first, .sort: try readPlace(field, &fields)
    case .by: fields.order = try orders.read(&cursor)
    case .section: fields.section = try cursor.readSectionName()
    case .to: fields.newName = try cursor.readNewSectionName()
    case .select: fields.selects = try cursor.readBool()
    case .subtree: fields.subtree = try cursor.readKey()
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
    case .before: fields.place = .before(try cursor.readKey())
    case .after: fields.place = .after(try cursor.readKey())
    case .sort: fields.place = .sorted(try orders.read(&cursor))
    default:
      try cursor.readTrue()
      fields.place = .first
    }
  }

  /// Reads the value of `levels`.
  private mutating func levels() throws(ServiceError) -> Levels {
    if try cursor.peekKind() == .string {
      if try cursor.readWord(of: LevelsWord.table) == .all { return .all }
      throw cursor.invalid("This must be a whole number of 1 or more, or \"all\".")
    }
    return .count(try cursor.readInt(atLeast: 1, or: "\"all\""))
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
    guard try cursor.peekKind() == .null else { return try cursor.readKey() }
    try cursor.readNull()
    return nil
  }

  /// Reads members with the fast reader, including a list of children or keys.
  ///
  /// - Returns: `true` if the object has ended.
  mutating func parseMembers(
    _ fields: inout OperationFields,
    from place: inout MemberPlace,
    _ text: Span<UInt8>,
    depth: Int
  ) -> Bool {
    if fields.parseMembers(from: &place, text, cursor.limits) { return true }
    return
      (parseChildren(&fields, from: &place, text, depth: depth)
      || parseKeys(&fields, from: &place, text))
      && fields.parseMembers(from: &place, text, cursor.limits)
  }

  /// Reads the member `keys` with the fast reader, if it comes next with 1 to 16 distinct keys.
  ///
  /// - Returns: `false` for anything else. Nothing has changed then.
  private mutating func parseKeys(
    _ fields: inout OperationFields,
    from place: inout MemberPlace,
    _ text: Span<UInt8>
  ) -> Bool {
    let position = OperationField.keys.position
    var quick = QuickReader(at: place.offset)
    guard
      !place.isAtFirst, quick.pass(#","keys":["#, text), !fields.seen.contains(position),
      let range = keys.parseList(&quick, text, cursor.limits)
    else { return false }
    fields.keys = range
    _ = fields.seen.insert(position)
    place = MemberPlace(offset: quick.offset, isAtFirst: false)
    return true
  }

  /// Reads the member `children` with the fast reader, if it comes next as a list of nodes without
  /// children.
  ///
  /// - Returns: `false` for anything else. Nothing has changed then.
  private mutating func parseChildren(
    _ fields: inout OperationFields,
    from place: inout MemberPlace,
    _ text: Span<UInt8>,
    depth: Int
  ) -> Bool {
    let position = OperationField.children.position
    var quick = QuickReader(at: place.offset)
    guard
      !place.isAtFirst, quick.pass(#","children":["#, text), !fields.seen.contains(position),
      depth + 1 < cursor.limits.maxJSONDepth,
      let reserved = nodes.parseList(&quick, text, &cursor)
    else { return false }
    fields.reserved = reserved
    fields.childState = .loaded
    _ = fields.seen.insert(position)
    place = MemberPlace(offset: quick.offset, isAtFirst: false)
    return true
  }
}
