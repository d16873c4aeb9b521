/// The state of a batch in progress: copies of the tree and of the views of all sessions.
final class ModelWork {
  let tree: ModelTree
  /// The views, in the order of the sessions.
  var views: [ModelView]
  /// The index of the view that the operations come from; nil for a batch of the tree.
  let actor: Int?
  /// The identities of nodes that operations moved or sorted, and of their descendants.
  var relocated: Set<Int> = []
  /// The relocated nodes, except those that only moved with their section.
  var carried: Set<Int> = []
  /// The identities of updated nodes and their descendants, which may move in a sorted view.
  var updated: Set<Int> = []
  /// The number of operations.
  var operationCount = 0
  /// True if an operation reorders siblings as a whole, with the fewest moves.
  var rearranges = false

  init(tree: ModelTree, views: [ModelView], actor: Int?) {
    self.tree = tree.copy()
    self.views = views
    self.actor = actor
  }

  /// The view that the operations come from.
  var view: ModelView {
    get {
      guard let actor else { preconditionFailure("a tree's own batch has no view") }
      return views[actor]
    }
    set { if let actor { views[actor] = newValue } }
  }

  /// The acting session's view of the tree.
  var reading: ModelReading { ModelReading(tree: tree, view: view) }

  func perform(_ operation: ModelOperation) throws(ModelRefusal) {
    operationCount += 1
    if operation.isViewOperation {
      guard actor != nil else { throw ModelRefusal(code: .invalidRequest) }
      try performOnView(operation)
    } else {
      try performOnTree(operation)
      recordRelocations(by: operation)
    }
    for index in views.indices { views[index].prune(for: tree) }
  }

  private func performOnTree(_ operation: ModelOperation) throws(ModelRefusal) {
    switch operation {
    case .insert(let node, let parent, let section, let place):
      try tree.insert(node, parent: parent, section: section, place: place)
    case .update(let key, let object):
      let node = try tree.node(key)
      guard node.object.bytes != object.bytes else { return }
      tree.update(node, object: object, isMerged: false)
    case .merge(let key, let patch): merge(patch, into: try tree.node(key))
    case .remove(let key): tree.remove(try tree.node(key))
    case .removeAll(let keys): try removeAll(keys)
    case .move(let keys, let parent, let section, let place):
      try tree.move(keys, parent: parent, section: section, place: place)
    case .setChildren(let target, let children): try tree.setChildren(target, children)
    case .sort(let target, let sort): try tree.sort(target, by: sort)
    case .insertSection(let name, let index): try tree.insertSection(name, index: index)
    case .removeSection(let name): try tree.removeSection(name)
    case .moveSection(let name, let index): try tree.moveSection(name, index: index)
    case .renameSection(let name, let new): try tree.renameSection(name, to: new)
    case .malformed(_, let code): throw ModelRefusal(code: code)
    default: preconditionFailure("\(operation.name) concerns a view")
    }
  }

  private func removeAll(_ keys: [ModelKey]) throws(ModelRefusal) {
    for key in keys { _ = try tree.node(key) }
    for key in keys {
      if let node = tree.nodes[key] { tree.remove(node) }
    }
  }

  private func merge(_ patch: RawJSON, into node: ModelNode) {
    let merged = node.object.merged(with: patch)
    guard merged.compactBytes != node.object.compactBytes else { return }
    let isPatched = if case .object = patch.kind { true } else { false }
    tree.update(node, object: merged, isMerged: isPatched)
  }

  /// Records the nodes that the last operation moved or sorted.
  private func recordRelocations(by operation: ModelOperation) {
    let nodes: [ModelNode]
    switch operation {
    case .move(let keys, _, _, _): nodes = keys.compactMap { tree.nodes[$0] }
    case .update(let key, _), .merge(let key, _):
      let node = tree.nodes[key]
      updated.formUnion(node?.subtree.map(\.identity) ?? [])
      nodes = tree.sort.isEmpty ? [] : [node].compactMap(\.self)
    case .moveSection(let name, _):
      nodes = tree.sections.first { $0.name == name }?.roots ?? []
    case .setChildren(.node(let key), _), .sort(.children(let key), _):
      rearranges = true
      nodes = tree.nodes[key]?.children ?? []
    case .setChildren(.roots(let name), _), .sort(.roots(let name), _):
      rearranges = true
      nodes = tree.sections.filter { name == nil || $0.name == name }.flatMap(\.roots)
    case .sort(.everywhere, _):
      rearranges = true
      nodes = tree.roots
    default: return
    }
    let identities = nodes.flatMap(\.subtree).map(\.identity)
    relocated.formUnion(identities)
    if case .moveSection = operation { return }
    carried.formUnion(identities)
  }
}
