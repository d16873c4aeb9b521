import JSON
import TreeEngine

/// The members of a line.
enum ImportField: Int, CaseIterable {
  case key, parent, object, children, childCount, section
  static let table = FieldTable<ImportField> { "\($0)" }
}

/// The members of a line that were read.
struct ImportFields: ObjectFields {
  typealias Field = ImportField

  var seen = SeenMembers()
  var key: ByteSlice?
  var parent = ParentReference.absent
  var object: ByteSlice?
  var childState = ChildState.leaf
  var hint: Int32?
  var section: ByteSlice?

  /// Reads `key`, `parent` and `object` if they come first.
  @inline(__always)
  mutating func parseQuickly(
    _ quick: inout QuickReader,
    _ text: Span<UInt8>,
    _ limits: DecodingLimits
  ) {
    _ =
      parseNext(.key, #""key":"#, &quick, text, limits)
      && parseNext(.parent, #","parent":"#, &quick, text, limits)
      && parseNext(.object, #","object":"#, &quick, text, limits)
  }

  @inline(__always)
  mutating func parseValue(
    _ field: ImportField,
    _ quick: inout QuickReader,
    _ text: Span<UInt8>,
    _ limits: DecodingLimits
  ) -> Bool {
    switch field {
    case .key:
      guard let key = quick.key(text, limits) else { return false }
      self.key = key
    case .parent:
      guard let parent = quick.parent(text, limits) else { return false }
      self.parent = parent
    case .object:
      guard let value = quick.rawValue(text, limits) else { return false }
      object = value
    case .children:
      guard let state = quick.unlistedChildren(text) ?? quick.emptyList(text) else { return false }
      childState = state
    case .childCount:
      guard let count = quick.integer(text) else { return false }
      hint = Int32(truncatingIfNeeded: count)
    case .section:
      guard let name = quick.sectionName(text) else { return false }
      section = name
    }
    return true
  }
}

extension ImportField: QuickField {
  @inline(__always)
  init?(_ name: PackedName) {
    switch name {
    case "key": self = .key
    case "parent": self = .parent
    case "object": self = .object
    case "children": self = .children
    case "childCount": self = .childCount
    case "section": self = .section
    default: return nil
    }
  }

  var position: Int { rawValue }
}

extension ImportFields {
  /// Reads the node of the line at which the cursor was restarted.
  static func readNode(
    from cursor: inout BodyCursor,
    _ text: Span<UInt8>
  ) throws(ServiceError) -> Import.ImportedNode {
    var fields = ImportFields()
    var place = try cursor.objectPlace()
    if fields.parseMembers(from: &place, text, cursor.limits) {
      cursor.resume(at: place.offset)
    } else {
      try fields.read(from: place, &cursor)
    }
    return try fields.node(cursor)
  }

  private mutating func read(
    from place: MemberPlace,
    _ cursor: inout BodyCursor
  ) throws(ServiceError) {
    cursor.enterObject(at: place)
    while let field = try cursor.nextField(of: ImportField.table, &seen) {
      switch field {
      case .key: key = try cursor.readKey()
      case .parent: parent = try cursor.readParent()
      case .object: object = try cursor.readRawValue()
      case .children: childState = try Self.children(&cursor)
      case .childCount: hint = try cursor.readCount()
      case .section: section = try cursor.readSectionName()
      }
    }
  }

  private func node(_ cursor: BodyCursor) throws(ServiceError) -> Import.ImportedNode {
    guard let key else {
      throw cursor.invalid("A node needs a key; give it one.")
    }
    try cursor.checkNew(key)
    if hint != nil, childState != .unloaded {
      throw cursor.misplacedCount
    }
    var node = Import.ImportedNode(
      key: key,
      object: object ?? ByteSlice(offset: 0, count: 0),
      childState: childState,
      hint: hint,
      line: 0
    )
    if let parent = parent.key { node.above = .parent(parent) }
    guard let section else { return node }
    guard node.above == .nothing else {
      throw cursor.invalid("Only roots are in sections; leave it out.", member: "section")
    }
    node.above = .section(section)
    return node
  }

  /// Reads the value of `children`, which must not list children.
  private static func children(_ cursor: inout BodyCursor) throws(ServiceError) -> ChildState {
    guard try cursor.peekKind() == .array else { return try cursor.readUnlistedChildren() }
    try cursor.beginArray()
    guard try !cursor.nextElement() else {
      throw cursor.invalid("Children have lines of their own, which name their parent.")
    }
    return .loaded
  }
}
