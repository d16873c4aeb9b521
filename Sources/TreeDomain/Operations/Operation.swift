import JSON
package import TreeEngine

/// An operation of a batch.
///
/// Its slices refer to ``Batch/bytes``.
///
/// Lists are stored in the batch, so that an operation is copied and freed without reference
/// counting.
package enum Operation: Equatable, Sendable {
  /// The change of a node's object.
  package enum ObjectChange: Equatable, Sendable {
    /// Replaces the object by raw JSON.
    case replace(ByteSlice)
    /// Applies a merge patch (RFC 7396).
    case merge(ByteSlice)
  }

  /// Inserts a node with its subtree. `nodes` is a range of ``Batch/nodes``.
  case insert(nodes: PackedRange, parent: ByteSlice?, section: ByteSlice?, place: Place)
  /// Inserts a node, or replaces the object of an existing one.
  ///
  /// An existing node is moved if `parent`, `section` or `place` is given. `givesChildren` is true
  /// if the request has `children`, which only an insertion accepts.
  case put(
    nodes: PackedRange,
    parent: ParentReference,
    section: ByteSlice?,
    place: Place,
    givesChildren: Bool
  )
  /// Changes a node's object.
  case update(key: ByteSlice, ObjectChange)
  /// Removes a node and its subtree.
  case remove(key: ByteSlice)
  /// Removes several nodes and their subtrees. `keys` is a range of ``Batch/keys`` without
  /// duplicates.
  case removeAll(keys: PackedRange)
  /// Moves nodes and keeps their order. `keys` is a range of ``Batch/keys`` without duplicates.
  case move(keys: PackedRange, parent: ByteSlice?, section: ByteSlice?, place: Place)
  /// Sets the children of a node, or the roots, as a difference by keys.
  case setChildren(of: ChildrenTarget, NewChildren)
  /// Sorts existing siblings, stably. `by` is an index in ``Batch/orders``.
  case sort(SortTarget, by: Int)

  /// Inserts a section, by default as the last one.
  case insertSection(ByteSlice, index: Int?)
  /// Removes a section and all its roots.
  case removeSection(ByteSlice)
  /// Moves a section. The index counts after its removal.
  case moveSection(ByteSlice, index: Int)
  /// Renames a section.
  case renameSection(ByteSlice, to: ByteSlice)

  /// Changes what a session shows or selects.
  case view(ViewOperation)

  /// True if the operation only removes nodes.
  var removes: Bool {
    switch self {
    case .remove, .removeAll, .removeSection: true
    case .insert, .put, .update, .move, .setChildren, .sort, .insertSection, .moveSection,
      .renameSection, .view:
      false
    }
  }

  /// True if the operation changes the data of the tree, false if it changes a session's view.
  package var changesData: Bool {
    switch self {
    case .insert, .put, .update, .remove, .removeAll, .move, .setChildren, .sort: true
    case .insertSection, .removeSection, .moveSection, .renameSection: true
    case .view: false
    }
  }
}

/// An operation on the view of a session.
///
/// Its slices refer to ``Batch/bytes``.
package enum ViewOperation: Equatable, Sendable {
  /// Expands a node.
  case expand(key: ByteSlice, Levels)
  /// Collapses a node.
  case collapse(key: ByteSlice, Levels)
  /// Collapses an expanded node, or expands a collapsed one.
  case toggle(key: ByteSlice, Levels)
  /// Expands all nodes, and sets this rule for nodes that come later.
  case expandAll
  /// Collapses all nodes, and sets this rule for nodes that come later.
  case collapseAll
  /// Expands all ancestors of nodes, and selects the nodes if `selects` is true.
  ///
  /// `keys` is a range of ``Batch/keys``.
  case reveal(keys: PackedRange, selects: Bool)
  /// Adds nodes to the selection.
  case select(SelectionTarget)
  /// Removes nodes from the selection.
  case deselect(SelectionTarget)
  /// Removes all nodes from the selection.
  case clearSelection
  /// Shows the roots of a section.
  case expandSection(ByteSlice)
  /// Hides the roots of a section.
  case collapseSection(ByteSlice)
}

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

extension OperationName {
  @inline(__always)
  init?(_ name: PackedName) {
    switch name {
    case "insert": self = .insert
    case "update": self = .update
    case "remove": self = .remove
    case "move": self = .move
    case "setChildren": self = .setChildren
    case "expand": self = .expand
    case "collapse": self = .collapse
    case "select": self = .select
    case "deselect": self = .deselect
    case "reveal": self = .reveal
    case "toggle": self = .toggle
    default: return nil
    }
  }
}

extension BatchDecoder {
  /// Appends an operation made of its members.
  ///
  /// Each operation is created in place, and the fields are passed by reference although nothing
  /// changes them. Both avoid copies.
  mutating func append(
    _ name: OperationName,
    _ fields: inout OperationFields
  ) throws(ServiceError) {
    try checkMembers(name, &fields)
    switch name {
    case .insert: try appendInsertion(&fields)
    case .put: try appendPut(&fields)
    case .setChildren: operations.append(try setChildren(&fields))
    case .update:
      operations.append(.update(key: try required(fields.key), try objectChange(&fields)))
    case .remove: operations.append(try removal(&fields))
    case .move: try appendMove(&fields)
    case .sort: operations.append(try sort(&fields))
    case .expand: appendView(.expand(key: try required(fields.key), fields.levels))
    case .collapse: appendView(.collapse(key: try required(fields.key), fields.levels))
    case .toggle: appendView(.toggle(key: try required(fields.key), fields.levels))
    case .expandAll: appendView(.expandAll)
    case .collapseAll: appendView(.collapseAll)
    case .reveal:
      appendView(.reveal(keys: try oneOrMany(&fields), selects: fields.selects))
    case .select: appendView(.select(try selection(&fields)))
    case .deselect: appendView(.deselect(try selection(&fields)))
    case .clearSelection: appendView(.clearSelection)
    case .insertSection, .removeSection, .moveSection, .renameSection, .expandSection,
      .collapseSection:
      operations.append(try sectionOperation(name, &fields))
    }
  }

  /// Appends an operation on the view.
  @inline(__always)
  mutating func appendView(_ operation: ViewOperation) { operations.append(.view(operation)) }
}
