import JSON
import TreeEngine

/// The members that operations can have.
///
/// The name of an operation decides which of them it has.
enum OperationField: Int, CaseIterable {
  case op, key, keys, parent, object, merge, children, childCount, levels
  case index, before, after, first, sort
  case by, section, to, select, subtree

  static let table = FieldTable<OperationField> { "\($0)" }
  /// The members of which an operation can have at most one.
  static let places: [OperationField] = [.index, .before, .after, .first, .sort]

  /// Returns the set of the positions of fields.
  static func set(_ fields: [OperationField]) -> SeenMembers {
    SeenMembers(fields.map(\.position))
  }

  /// Returns the name of the first member in a set that an operation does not have.
  static func first(of seen: SeenMembers, outside operation: OperationName) -> String? {
    seen.first(outside: operation.fields).map { "\(table.fields[$0])" }
  }
}

/// The members of an operation that were read, before its name is known.
struct OperationFields: ObjectFields, ~Copyable {
  typealias Field = OperationField

  var name: OperationName?
  var seen = SeenMembers()
  /// True if a key was given, including `null`.
  var hasKey = false
  /// The key; `nil` if none was given and for `null`.
  var key: ByteSlice?
  /// The range of the given keys in the list of keys.
  var keys: PackedRange?
  var parent = ParentReference.absent
  var object: ByteSlice?
  var merge: ByteSlice?
  /// The position of the node that was reserved for given children.
  var reserved: Int?
  var childState = ChildState.leaf
  var childCount: Int32?
  var levels = Levels.count(1)
  var place = Place.default
  /// The position of the given sort order.
  var order: Int?
  var section: ByteSlice?
  var newName: ByteSlice?
  var selects = false
  var subtree: ByteSlice?
}

extension OperationField: QuickField {
  @inline(__always)
  init?(_ name: PackedName) {
    switch name {
    case "op": self = .op
    case "key": self = .key
    case "parent": self = .parent
    case "object": self = .object
    case "index": self = .index
    case "merge": self = .merge
    case "children": self = .children
    case "levels": self = .levels
    case "before": self = .before
    case "after": self = .after
    case "first": self = .first
    case "section": self = .section
    case "keys": self = .keys
    case "childCount": self = .childCount
    case "select": self = .select
    case "subtree": self = .subtree
    default: return nil
    }
  }

  var position: Int { rawValue }
}

extension OperationFields {
  @inline(__always)
  mutating func parseValue(
    _ field: OperationField,
    _ quick: inout QuickReader,
    _ text: Span<UInt8>,
    _ limits: DecodingLimits
  ) -> Bool {
    switch field {
    case .op:
      guard let word = quick.word(text).flatMap(OperationName.init) else { return false }
      name = word
    case .key:
      if !quick.null(text) {
        guard let given = quick.key(text, limits) else { return false }
        key = given
      }
      hasKey = true
    case .parent:
      guard let parent = quick.parent(text, limits) else { return false }
      self.parent = parent
    case .object:
      guard let value = quick.rawValue(text, limits) else { return false }
      object = value
    case .merge:
      guard let value = quick.rawValue(text, limits) else { return false }
      merge = value
    case .section:
      guard let name = quick.sectionName(text) else { return false }
      section = name
    case .subtree:
      guard let key = quick.key(text, limits) else { return false }
      subtree = key
    case .select:
      guard let selects = quick.boolean(text) else { return false }
      self.selects = selects
    case .levels:
      guard let levels = quick.levels(text) else { return false }
      self.levels = levels
    case .childCount:
      // The fast reader reads so few digits that the number fits into 32 bits.
      guard let count = quick.integer(text) else { return false }
      childCount = Int32(truncatingIfNeeded: count)
    case .index, .before, .after, .first: return parsePlace(field, &quick, text, limits)
    case .keys, .children, .sort, .by, .to: return false
    }
    return true
  }

  @inline(__always)
  private mutating func parsePlace(
    _ field: OperationField,
    _ quick: inout QuickReader,
    _ text: Span<UInt8>,
    _ limits: DecodingLimits
  ) -> Bool {
    guard case .default = place else { return false }
    switch field {
    case .index:
      guard let index = quick.integer(text) else { return false }
      place = .index(index)
    case .first:
      guard quick.boolean(text) == true else { return false }
      place = .first
    default:
      guard let key = quick.key(text, limits) else { return false }
      place = field == .before ? .before(key) : .after(key)
    }
    return true
  }
}
