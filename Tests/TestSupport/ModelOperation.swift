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

/// One operation of a batch.
package enum ModelOperation: Sendable {
  case insert(ModelNestedNode, parent: ModelKey?, place: ModelPlace)
  case update(ModelKey, object: RawJSON)
  case merge(ModelKey, patch: RawJSON)
  case remove(ModelKey)
  case move([ModelKey], parent: ModelKey?, place: ModelPlace)
  case expand(ModelKey, levels: ModelLevels)
  case collapse(ModelKey, levels: ModelLevels)
  case toggle(ModelKey, levels: ModelLevels)
  case expandAll
  case collapseAll
  case reveal([ModelKey])
  /// An operation that does not read as one, with the code it is refused with.
  case malformed(json: String, code: ModelErrorCode)
}
