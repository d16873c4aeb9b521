import JSON

/// The operations there are, by the names of the contract.
enum OperationName: String, CaseIterable {
  case insert, update, remove, move, setChildren, sort
  case expand, collapse, toggle, expandAll, collapseAll, reveal
  case select, deselect, clearSelection
  case insertSection, removeSection, moveSection, renameSection, expandSection, collapseSection
  /// Not an operation of batches: the form `PUT nodes/{key}`.
  case put

  /// The names a batch can give.
  static let table = FieldTable<OperationName>()

  /// The members it can have.
  var fields: SeenMembers { OperationName.allowed[self] ?? SeenMembers() }

  /// Whether its key may be `null`, which stands for the roots.
  var takesNullKey: Bool { self == .setChildren || self == .sort }

  private static let allowed: [OperationName: SeenMembers] = Dictionary(
    uniqueKeysWithValues: allCases.map { ($0, OperationField.set([.op] + $0.fieldList)) }
  )

  private var fieldList: [OperationField] {
    switch self {
    case .insert, .put:
      [.key, .parent, .section, .object, .children, .childCount] + OperationField.places
    case .update: [.key, .object, .merge]
    case .remove: [.key]
    case .move: [.key, .keys, .parent, .section] + OperationField.places
    case .setChildren: [.key, .section, .children, .childCount]
    case .sort: [.key, .section, .by]
    case .expand, .collapse, .toggle: [.key, .levels]
    case .expandAll, .collapseAll, .clearSelection: []
    case .reveal: [.key, .keys, .select]
    case .select, .deselect: [.key, .keys, .subtree]
    case .insertSection, .moveSection: [.section, .index]
    case .renameSection: [.section, .to]
    case .removeSection, .expandSection, .collapseSection: [.section]
    }
  }
}
