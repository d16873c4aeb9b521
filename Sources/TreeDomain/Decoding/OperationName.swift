import JSON

/// The operations there are, by the names of the contract.
enum OperationName: String, CaseIterable {
  case insert, update, remove, move
  case expand, collapse, toggle, expandAll, collapseAll, reveal
  /// Not an operation of batches: the form `PUT nodes/{key}`.
  case put

  /// The names a batch can give.
  static let table = FieldTable<OperationName>()

  /// The members it can have.
  var fields: SeenMembers { OperationName.allowed[self] ?? SeenMembers() }

  private static let allowed: [OperationName: SeenMembers] = Dictionary(
    uniqueKeysWithValues: allCases.map { ($0, OperationField.set([.op] + $0.fieldList)) }
  )

  private var fieldList: [OperationField] {
    switch self {
    case .insert, .put: [.key, .parent, .object, .children] + OperationField.places
    case .update: [.key, .object, .merge]
    case .remove: [.key]
    case .move: [.key, .keys, .parent] + OperationField.places
    case .expand, .collapse, .toggle: [.key, .levels]
    case .expandAll, .collapseAll: []
    case .reveal: [.key, .keys]
    }
  }
}
