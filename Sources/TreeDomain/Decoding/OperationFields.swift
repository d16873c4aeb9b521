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
