/// A naive ordered forest: what the contract calls a tree, in the plainest form that can be right.
///
/// Every question is answered by walking. Operations change the tree in place and may leave it half
/// changed when they throw: who applies them works on a copy.
final class ModelTree {
  private(set) var roots: [ModelNode] = []
  private(set) var nodes: [ModelKey: ModelNode] = [:]
  /// The tree-level sort; empty when there is none.
  let sort: [ModelSort]
  /// The greatest depth a node may have; `nil` for no limit.
  let maximumDepth: Int?
  private var lastIdentity = 0

  init(sort: [ModelSort] = [], maximumDepth: Int? = nil) {
    self.sort = sort
    self.maximumDepth = maximumDepth
  }

  /// A copy with the same identities.
  func copy() -> ModelTree {
    let copy = ModelTree(sort: sort, maximumDepth: maximumDepth)
    copy.roots = roots.map { $0.copy() }
    copy.lastIdentity = lastIdentity
    for node in copy.allNodes { copy.nodes[node.key] = node }
    return copy
  }

  /// Every node, in pre-order.
  var allNodes: [ModelNode] {
    roots.flatMap(\.subtree)
  }

  /// The children of a node, or the roots.
  func siblings(under parent: ModelNode?) -> [ModelNode] {
    parent?.children ?? roots
  }

  /// The node of a key, which a client named.
  func node(_ key: ModelKey) throws(ModelRefusal) -> ModelNode {
    guard let node = nodes[key] else { throw ModelRefusal(code: .nodeNotFound) }
    return node
  }

  // MARK: - Operations

  func insert(_ nested: ModelNestedNode, parent: ModelKey?, place: ModelPlace) throws(ModelRefusal)
  {
    let parent = try self.parent(parent)
    let keys = nested.keys
    guard Set(keys).count == keys.count, keys.allSatisfy({ nodes[$0] == nil }) else {
      throw ModelRefusal(code: .duplicateKey)
    }
    try checkPlace(place, under: parent)
    try checkDepth(of: nested.height, under: parent)
    add(nested, under: parent, place: place)
  }

  /// Replaces the object and says whether it changed.
  func update(_ node: ModelNode, object: RawJSON, isMerged: Bool) {
    let old = SortSubject(key: node.key, object: node.object)
    node.object = object
    node.isMerged = isMerged
    guard sort.order(old, node.subject) != 0 else { return }
    let parent = node.parent
    detach(node)
    attach(node, under: parent, place: .unspecified)
  }

  func remove(_ node: ModelNode) {
    detach(node)
    for node in node.subtree { nodes[node.key] = nil }
  }

  func move(_ keys: [ModelKey], parent: ModelKey?, place: ModelPlace) throws(ModelRefusal) {
    var moved: [ModelNode] = []
    for key in keys { moved.append(try node(key)) }
    let parent = try self.parent(parent)
    if let parent, moved.contains(where: { parent.isInside($0) }) {
      throw ModelRefusal(code: .cycle)
    }
    for node in moved { detach(node) }
    try checkPlace(place, under: parent)
    for node in moved { try checkDepth(of: node.height, under: parent) }
    var place = place
    for node in moved {
      attach(node, under: parent, place: place)
      if !place.isSorted(in: self) { place = .after(node.key) }
    }
  }

  // MARK: - Steps of operations

  private func parent(_ key: ModelKey?) throws(ModelRefusal) -> ModelNode? {
    guard let key else { return nil }
    guard let parent = nodes[key] else { throw ModelRefusal(code: .parentNotFound) }
    return parent
  }

  private func checkPlace(_ place: ModelPlace, under parent: ModelNode?) throws(ModelRefusal) {
    let siblings = siblings(under: parent)
    switch place {
    case .unspecified, .first, .sort: break
    case .index(let index):
      guard (0...siblings.count).contains(index) else {
        throw ModelRefusal(code: .indexOutOfRange)
      }
    case .before(let anchor), .after(let anchor):
      guard siblings.contains(where: { $0.key == anchor }) else {
        throw ModelRefusal(code: .anchorNotASibling)
      }
    }
  }

  private func checkDepth(of height: Int, under parent: ModelNode?) throws(ModelRefusal) {
    guard let maximumDepth else { return }
    let depth = parent.map { $0.depth + 1 } ?? 0
    guard depth + height - 1 <= maximumDepth else { throw ModelRefusal(code: .depthLimit) }
  }

  private func add(_ nested: ModelNestedNode, under parent: ModelNode?, place: ModelPlace) {
    let state: ModelNode.ChildState
    var inside: [ModelNestedNode] = []
    switch nested.children {
    case .leaf: state = .leaf
    case .unloaded: state = .unloaded
    case .loaded(let nodes): (state, inside) = (.loaded, nodes)
    }
    lastIdentity += 1
    let object = nested.object ?? .null
    let node = ModelNode(
      identity: lastIdentity,
      key: nested.key,
      object: object,
      childState: state
    )
    nodes[node.key] = node
    attach(node, under: parent, place: place)
    for child in inside { add(child, under: node, place: .unspecified) }
  }

  private func detach(_ node: ModelNode) {
    if let parent = node.parent {
      parent.children.removeAll { $0 === node }
    } else {
      roots.removeAll { $0 === node }
    }
    node.parent = nil
  }

  private func attach(_ node: ModelNode, under parent: ModelNode?, place: ModelPlace) {
    let position = position(of: node, at: place, among: siblings(under: parent))
    node.parent = parent
    if let parent {
      parent.children.insert(node, at: position)
      parent.childState = .loaded
    } else {
      roots.insert(node, at: position)
    }
  }
}

extension ModelTree {
  fileprivate func position(
    of node: ModelNode,
    at place: ModelPlace,
    among siblings: [ModelNode]
  ) -> Int {
    switch place {
    case .unspecified:
      sort.isEmpty ? siblings.count : sortedPosition(of: node, among: siblings, by: sort)
    case .first: 0
    case .index(let index): index
    case .before(let anchor): siblings.firstIndex { $0.key == anchor } ?? 0
    case .after(let anchor): (siblings.firstIndex { $0.key == anchor } ?? 0) + 1
    case .sort(let sort): sortedPosition(of: node, among: siblings, by: sort)
    }
  }

  /// Before the first sibling that compares greater.
  private func sortedPosition(
    of node: ModelNode,
    among siblings: [ModelNode],
    by sort: [ModelSort]
  ) -> Int {
    siblings.firstIndex { sort.order($0.subject, node.subject) > 0 } ?? siblings.count
  }

  /// Whether the tree's sort wants the first node after the second.
  fileprivate func comesAfter(_ first: ModelNode, _ second: ModelNode) -> Bool {
    sort.order(first.subject, second.subject) > 0
  }
}

extension ModelNode {
  fileprivate var subject: SortSubject {
    SortSubject(key: key, object: object)
  }
}

extension ModelPlace {
  /// Whether each of several moved nodes finds its own place.
  fileprivate func isSorted(in tree: ModelTree) -> Bool {
    switch self {
    case .sort: true
    case .unspecified: !tree.sort.isEmpty
    case .first, .index, .before, .after: false
    }
  }
}
