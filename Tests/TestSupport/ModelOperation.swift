/// A node to insert, with its descendants.
package struct ModelNestedNode: Sendable {
  /// The member `children` of a node.
  package enum Children: Sendable {
    case leaf
    case unloaded
    case loaded([ModelNestedNode])
  }

  /// The new key.
  package var key: ModelKey
  /// The object; nil leaves the member out, which means `null`.
  package var object: RawJSON?
  /// The children.
  package var children: Children
  /// The announced number of children of an unloaded node.
  package var hint: Int?
  /// The section of a root.
  package var section: ModelKey?

  /// Creates a node to insert; by default a leaf.
  package init(_ key: ModelKey, object: RawJSON? = nil, children: Children = .leaf) {
    self.key = key
    self.object = object
    self.children = children
  }

  /// The keys of the node and its descendants.
  package var keys: [ModelKey] {
    guard case .loaded(let nodes) = children else { return [key] }
    return [key] + nodes.flatMap(\.keys)
  }

  /// The number of levels of the node and its descendants.
  var height: Int {
    guard case .loaded(let nodes) = children else { return 1 }
    return 1 + (nodes.map(\.height).max() ?? 0)
  }
}

/// The place of a node among its new siblings.
package enum ModelPlace: Sendable {
  /// The place by the tree's sort, or the last one without a sort.
  case unspecified
  case first
  case index(Int)
  case before(ModelKey)
  case after(ModelKey)
  case sort([ModelSort])
}

/// The number of levels of an expansion.
package enum ModelLevels: Sendable, Equatable {
  case count(Int)
  case all
}

/// The parent whose children `setChildren` sets.
package enum ModelTarget: Sendable {
  case node(ModelKey)
  /// The roots, of one section or of all.
  case roots(section: ModelKey?)
}

/// The new children of `setChildren`.
package enum ModelNewChildren: Sendable {
  /// The state of children that are not loaded.
  package enum State: String, Sendable {
    case unloaded, loading, failed
  }

  case nodes([ModelNestedNode])
  /// No children: a leaf.
  case none
  case state(State, hint: Int?)
}

/// The target of `sort`.
package enum ModelSortTarget: Sendable {
  case everywhere
  case roots(section: ModelKey?)
  case children(ModelKey)
}

/// The nodes of `select` and `deselect`.
package enum ModelSelection: Sendable {
  case keys([ModelKey])
  case subtree(ModelKey)
}

/// An operation of a batch.
package enum ModelOperation: Sendable {
  case insert(ModelNestedNode, parent: ModelKey?, section: ModelKey? = nil, place: ModelPlace)
  case update(ModelKey, object: RawJSON)
  case merge(ModelKey, patch: RawJSON)
  case remove(ModelKey)
  /// A removal of several nodes, some of which may be descendants of others.
  case removeAll([ModelKey])
  case move([ModelKey], parent: ModelKey?, section: ModelKey? = nil, place: ModelPlace)
  case setChildren(ModelTarget, ModelNewChildren)
  case sort(ModelSortTarget, by: [ModelSort])
  case expand(ModelKey, levels: ModelLevels)
  case collapse(ModelKey, levels: ModelLevels)
  case toggle(ModelKey, levels: ModelLevels)
  case expandAll
  case collapseAll
  case reveal([ModelKey], selects: Bool = false)
  case select(ModelSelection)
  case deselect(ModelSelection)
  case clearSelection
  case insertSection(ModelKey, index: Int?)
  case removeSection(ModelKey)
  case moveSection(ModelKey, index: Int)
  case renameSection(ModelKey, to: ModelKey)
  case expandSection(ModelKey)
  case collapseSection(ModelKey)
  /// An operation that cannot be decoded, with the code of its refusal.
  case malformed(json: String, code: ModelErrorCode)

  /// Returns the key whose index the answer to a batch contains.
  package static func revealedKey(by operations: [ModelOperation]) -> ModelKey? {
    operations.compactMap { operation in
      if case .reveal(let keys, _) = operation { keys.first } else { nil }
    }.last
  }

  /// True if the operation changes a session's view, so that a batch of a tree refuses it.
  package var isViewOperation: Bool {
    switch self {
    case .expand, .collapse, .toggle, .expandAll, .collapseAll, .reveal, .select, .deselect,
      .clearSelection, .expandSection, .collapseSection:
      true
    case .insert, .update, .merge, .remove, .removeAll, .move, .setChildren, .sort, .insertSection,
      .removeSection, .moveSection, .renameSection, .malformed:
      false
    }
  }

  /// True if the operation is refused for every tree, and so before access is checked.
  var isInvalidEverywhere: Bool {
    switch self {
    case .insertSection(let name, _), .renameSection(_, to: let name): name.bytes.isEmpty
    case .setChildren(.roots, .state): true
    default: false
    }
  }
}
