import JSON
import TreeEngine

/// The members an operation can have; which ones, its name decides.
enum OperationField: String, CaseIterable {
  case op, key, keys, parent, object, merge, children, childCount, levels
  case index, before, after, first, sort
  case by, section, to, select, subtree

  static let table = FieldTable<OperationField>()
  /// The members of which an operation can have one at most.
  static let places: [OperationField] = [.index, .before, .after, .first, .sort]

  /// The positions of fields in the table.
  static func set(_ fields: [OperationField]) -> SeenMembers {
    SeenMembers(fields.compactMap(table.fields.firstIndex(of:)))
  }
}

/// What was read of an operation, before it is known which one it is.
struct OperationFields {
  var name: OperationName?
  var seen = SeenMembers()
  /// The key; `nil` where there is none, and where it is `null`.
  var key: ByteSlice?
  var keys: [ByteSlice] = []
  var parent = ParentReference.absent
  var object: ByteSlice?
  var merge: ByteSlice?
  var childState = ChildState.leaf
  var childCount: Int32?
  var levels = Levels.count(1)
  var place = Place.default
  var order: SortOrder?
  var section: ByteSlice?
  var newName: ByteSlice?
  var selects = false
  var subtree: ByteSlice?
  /// The position of the node reserved for it, in case it is an insert.
  var node: Int

  /// Whether a member was given.
  func has(_ field: OperationField) -> Bool {
    OperationField.set([field]).first(outside: seen) == nil
  }
}
