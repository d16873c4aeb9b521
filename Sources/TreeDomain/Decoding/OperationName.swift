import JSON

/// The operations, by their names in the contract.
enum OperationName: String, CaseIterable {
  case insert, update, remove, move, setChildren, sort
  case expand, collapse, toggle, expandAll, collapseAll, reveal
  case select, deselect, clearSelection
  case insertSection, removeSection, moveSection, renameSection, expandSection, collapseSection
  /// The operation `PUT nodes/{key}`, which a batch cannot contain.
  case put

  /// The table of all names.
  static let table = FieldTable<OperationName>()

  /// The names that a batch can contain, as texts.
  static let offered = allCases.filter { $0 != .put }.map(\.rawValue)

  /// Finds the operation with a name among those that a batch can contain.
  init?(offered name: some Collection<UInt8>) {
    let found = Self.allCases.first { $0 != .put && $0.rawValue.utf8.elementsEqual(name) }
    guard let found else { return nil }
    self = found
  }

  /// Returns the names of the members that the operation can have.
  ///
  /// - Parameter isSingle: True for a request of a single operation, whose path gives the name and
  ///   the key.
  /// - Returns: The names, in the order of ``OperationField``.
  func memberNames(isSingle: Bool) -> [String] {
    let inPath: [OperationField] = isSingle ? [.op, .key, .keys] : []
    return OperationField.table.fields
      .filter { fields.contains($0.position) && !inPath.contains($0) }.map { "\($0)" }
  }

  /// True if the key may be `null`, which stands for the roots.
  var takesNullKey: Bool { self == .setChildren || self == .sort }

  /// The members that the operation can have.
  var fields: SeenMembers {
    switch self {
    case .insert, .put: Members.insertion
    case .update: Members.update
    case .remove: Members.removal
    case .move: Members.move
    case .setChildren: Members.children
    case .sort: Members.sort
    case .expand, .collapse, .toggle: Members.expansion
    case .expandAll, .collapseAll, .clearSelection: Members.none
    case .reveal: Members.reveal
    case .select, .deselect: Members.selection
    case .insertSection, .moveSection: Members.sectionAtIndex
    case .renameSection: Members.sectionName
    case .removeSection, .expandSection, .collapseSection: Members.section
    }
  }

  /// The sets of members.
  ///
  /// Each is created once.
  private enum Members {
    static let insertion = set(
      [.key, .parent, .section, .object, .children, .childCount] + OperationField.places
    )
    static let update = set([.key, .object, .merge])
    static let removal = set([.key, .keys])
    static let move = set([.key, .keys, .parent, .section] + OperationField.places)
    static let children = set([.key, .section, .children, .childCount])
    static let sort = set([.key, .section, .by])
    static let expansion = set([.key, .levels])
    static let none = set([])
    static let reveal = set([.key, .keys, .select])
    static let selection = set([.key, .keys, .subtree])
    static let sectionAtIndex = set([.section, .index])
    static let sectionName = set([.section, .to])
    static let section = set([.section])

    private static func set(_ fields: [OperationField]) -> SeenMembers {
      OperationField.set([.op] + fields)
    }
  }
}
