/// A node of the model: an object and an array of children, without caches.
final class ModelNode {
  /// The state of a node's children.
  enum ChildState: String {
    case leaf, unloaded, loading, failed, loaded
  }

  /// The identity, which differs from that of a later node with the same key.
  let identity: Int
  let key: ModelKey
  var object: RawJSON
  /// True if the object is the result of a merge, so that only its compact text is defined.
  var isMerged = false
  weak var parent: ModelNode?
  var children: [ModelNode] = []
  var childState: ChildState
  /// The number of children that a client announced and that are not loaded.
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

  /// The ancestors, root first.
  var ancestors: [ModelNode] {
    parent.map { $0.ancestors + [$0] } ?? []
  }

  /// The number of levels from this node down.
  var height: Int {
    1 + (children.map(\.height).max() ?? 0)
  }

  /// The node and its descendants, in pre-order.
  var subtree: [ModelNode] {
    [self] + children.flatMap(\.subtree)
  }

  /// The number of children in answers; nil if unknown.
  var shownChildCount: Int? {
    switch childState {
    case .leaf: 0
    case .loaded: children.count
    case .unloaded, .loading, .failed: children.isEmpty ? hint : children.count
    }
  }

  /// Returns true if this is the given node or one of its descendants.
  func isInside(_ node: ModelNode) -> Bool {
    self === node || parent?.isInside(node) == true
  }

  /// Returns a copy of the subtree with the same identities.
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
  /// The identity, which differs from that of a later section with the same name.
  let identity: Int
  /// The name; empty in a tree that never had sections.
  var name: ModelKey
  var roots: [ModelNode] = []

  init(identity: Int, name: ModelKey) {
    self.identity = identity
    self.name = name
  }

  /// Returns a copy with the same identities.
  func copy() -> ModelSection {
    let copy = ModelSection(identity: identity, name: name)
    copy.roots = roots.map { $0.copy() }
    return copy
  }
}

/// The parent of a node, or the section of a root.
enum ModelParent {
  case section(ModelSection)
  case node(ModelNode)

  /// The children.
  var children: [ModelNode] {
    switch self {
    case .section(let section): section.roots
    case .node(let node): node.children
    }
  }

  /// Replaces the children and sets their parent. The parent of former children remains.
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

  /// The depth of the children.
  var childDepth: Int {
    switch self {
    case .section: 0
    case .node(let node): node.depth + 1
    }
  }
}
