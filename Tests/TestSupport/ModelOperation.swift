/// A node to insert, with everything below it.
package struct ModelNestedNode: Sendable {
  /// What a node's `children` say.
  package enum Children: Sendable {
    case leaf
    case unloaded
    case loaded([ModelNestedNode])
  }

  /// The new key.
  package var key: ModelKey
  /// The object; `nil` leaves the member out, which means `null`.
  package var object: RawJSON?
  /// The children.
  package var children: Children
  /// The number of children that are expected of an unloaded node.
  package var hint: Int?
  /// The section that a root names.
  package var section: ModelKey?

  /// A node to insert; a leaf unless children are given.
  package init(_ key: ModelKey, object: RawJSON? = nil, children: Children = .leaf) {
    self.key = key
    self.object = object
    self.children = children
  }

  /// The keys of the node and everything below it.
  package var keys: [ModelKey] {
    guard case .loaded(let nodes) = children else { return [key] }
    return [key] + nodes.flatMap(\.keys)
  }

  /// The levels of the node and everything below it.
  var height: Int {
    guard case .loaded(let nodes) = children else { return 1 }
    return 1 + (nodes.map(\.height).max() ?? 0)
  }
}

/// Where among its new siblings a node goes.
package enum ModelPlace: Sendable {
  /// By the tree's sort if it has one, else last.
  case unspecified
  case first
  case index(Int)
  case before(ModelKey)
  case after(ModelKey)
  case sort([ModelSort])
}

/// How many levels an expansion reaches.
package enum ModelLevels: Sendable, Equatable {
  case count(Int)
  case all
}

/// Whose children `setChildren` gives.
package enum ModelTarget: Sendable {
  case node(ModelKey)
  /// The roots, of one section or of all.
  case roots(section: ModelKey?)
}

/// What `setChildren` gives.
package enum ModelNewChildren: Sendable {
  /// What a client says of children it has not supplied.
  package enum State: String, Sendable {
    case unloaded, loading, failed
  }

  case nodes([ModelNestedNode])
  /// None, and none to come: a leaf.
  case none
  case state(State, hint: Int?)
}

/// What `sort` sorts.
package enum ModelSortTarget: Sendable {
  case everywhere
  case roots(section: ModelKey?)
  case children(ModelKey)
}

/// What `select` and `deselect` name.
package enum ModelSelection: Sendable {
  case keys([ModelKey])
  case subtree(ModelKey)
}

/// One operation of a batch.
package enum ModelOperation: Sendable {
  case insert(ModelNestedNode, parent: ModelKey?, section: ModelKey? = nil, place: ModelPlace)
  case update(ModelKey, object: RawJSON)
  case merge(ModelKey, patch: RawJSON)
  case remove(ModelKey)
  /// A selection, in which some nodes may be below others.
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
  /// An operation that does not read as one, with the code it is refused with.
  case malformed(json: String, code: ModelErrorCode)

  /// The key whose row the answer to a batch places.
  package static func revealedKey(by operations: [ModelOperation]) -> ModelKey? {
    operations.compactMap { operation in
      if case .reveal(let keys, _) = operation { keys.first } else { nil }
    }.last
  }

  /// Whether the operation concerns a session's view, so that a tree's batch refuses it.
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

  /// True if no tree allows the operation, so that it is refused before the access is checked.
  var isInvalidEverywhere: Bool {
    switch self {
    case .insertSection(let name, _), .renameSection(_, to: let name): name.bytes.isEmpty
    case .setChildren(.roots, .state): true
    default: false
    }
  }
}
