import JSON
import TreeEngine

/// The members an operation can have; which ones, its name decides.
enum OperationField: Int, CaseIterable {
  case op, key, keys, parent, object, merge, children, childCount, levels
  case index, before, after, first, sort
  case by, section, to, select, subtree

  static let table = FieldTable<OperationField> { "\($0)" }
  /// The members of which an operation can have one at most.
  static let places: [OperationField] = [.index, .before, .after, .first, .sort]

  /// The positions of fields in the table.
  static func set(_ fields: [OperationField]) -> SeenMembers {
    SeenMembers(fields.map(\.position))
  }
}

/// What was read of an operation, before it is known which one it is.
struct OperationFields: ObjectFields, ~Copyable {
  typealias Field = OperationField

  var name: OperationName?
  var seen = SeenMembers()
  /// Whether a key was given, be it `null`.
  var hasKey = false
  /// The key; `nil` where there is none, and where it is `null`.
  var key: ByteSlice?
  /// Where in the list of keys those are that were given.
  var keys: PackedRange?
  var parent = ParentReference.absent
  var object: ByteSlice?
  var merge: ByteSlice?
  /// The position of the node that was reserved where children were given.
  var reserved: Int?
  var childState = ChildState.leaf
  var childCount: Int32?
  var levels = Levels.count(1)
  var place = Place.default
  /// The position of the order that was given.
  var order: Int?
  var section: ByteSlice?
  var newName: ByteSlice?
  var selects = false
  var subtree: ByteSlice?
}
