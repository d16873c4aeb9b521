/// One node of the model: an object with an array of children, and nothing computed ahead.
final class ModelNode {
  /// What is known about a node's children.
  enum ChildState: String {
    case leaf, unloaded, loading, failed, loaded
  }

  /// Tells a node from a later one with the same key.
  let identity: Int
  let key: ModelKey
  var object: RawJSON
  /// Whether the object came out of a merge, so that only its compact text is settled.
  var isMerged = false
  weak var parent: ModelNode?
  var children: [ModelNode] = []
  var childState: ChildState
  /// The number of children that a client expects, while nobody supplied them.
  var hint: Int?

  init(identity: Int, key: ModelKey, object: RawJSON, childState: ChildState) {
    self.identity = identity
    self.key = key
    self.object = object
    self.childState = childState
  }

  /// The number of ancestors.
  var depth: Int {
    parent.map { $0.depth + 1 } ?? 0
  }

  /// The path from the root to the parent.
  var ancestors: [ModelNode] {
    parent.map { $0.ancestors + [$0] } ?? []
  }

  /// The levels below and including this node.
  var height: Int {
    1 + (children.map(\.height).max() ?? 0)
  }

  /// The node and everything below it, in pre-order.
  var subtree: [ModelNode] {
    [self] + children.flatMap(\.subtree)
  }

  /// The number of children as it is shown; `nil` while nobody knows.
  var shownChildCount: Int? {
    switch childState {
    case .leaf: 0
    case .loaded: children.count
    case .unloaded, .loading, .failed: children.isEmpty ? hint : children.count
    }
  }

  /// Whether this is the given node or somewhere below it.
  func isInside(_ node: ModelNode) -> Bool {
    self === node || parent?.isInside(node) == true
  }

  /// A copy of the subtree with the same identities.
  func copy() -> ModelNode {
    let copy = ModelNode(identity: identity, key: key, object: object, childState: childState)
    copy.isMerged = isMerged
    copy.hint = hint
    copy.children = children.map { $0.copy() }
    for child in copy.children { child.parent = copy }
    return copy
  }
}

/// A named group of roots.
final class ModelSection {
  /// Tells a section from a later one with the same name.
  let identity: Int
  /// Compared by bytes; empty in a tree that was never given sections.
  var name: ModelKey
  var roots: [ModelNode] = []

  init(identity: Int, name: ModelKey) {
    self.identity = identity
    self.name = name
  }

  /// A copy with the same identities.
  func copy() -> ModelSection {
    let copy = ModelSection(identity: identity, name: name)
    copy.roots = roots.map { $0.copy() }
    return copy
  }
}

/// What a node hangs below.
enum ModelParent {
  case section(ModelSection)
  case node(ModelNode)

  /// The nodes below it.
  var children: [ModelNode] {
    switch self {
    case .section(let section): section.roots
    case .node(let node): node.children
    }
  }

  /// Puts other nodes below it, which are told of it; who hung there before is not.
  func setChildren(_ children: [ModelNode]) {
    switch self {
    case .section(let section):
      section.roots = children
      for child in children { child.parent = nil }
    case .node(let node):
      node.children = children
      for child in children { child.parent = node }
    }
  }

  /// The depth of the nodes below it.
  var childDepth: Int {
    switch self {
    case .section: 0
    case .node(let node): node.depth + 1
    }
  }
}
