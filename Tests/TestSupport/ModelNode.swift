/// One node of the model: an object with an array of children, and nothing computed ahead.
final class ModelNode {
  /// Which children a node has been given.
  enum ChildState: String {
    case leaf, unloaded, loaded
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
  /// Whether the expansion differs from the session's rule.
  var isToggled = false

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

  /// Whether this is the given node or somewhere below it.
  func isInside(_ node: ModelNode) -> Bool {
    self === node || parent?.isInside(node) == true
  }

  /// A copy of the subtree with the same identities.
  func copy() -> ModelNode {
    let copy = ModelNode(identity: identity, key: key, object: object, childState: childState)
    copy.isMerged = isMerged
    copy.isToggled = isToggled
    copy.children = children.map { $0.copy() }
    for child in copy.children { child.parent = copy }
    return copy
  }
}
