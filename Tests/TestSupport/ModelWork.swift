/// Operations under way on copies: of a tree, and of the view of every session over it.
final class ModelWork {
  let tree: ModelTree
  /// The views, in the order of the sessions.
  var views: [ModelView]
  /// Which of them the operations come from; `nil` for a tree's own.
  let actor: Int?
  /// The identities of nodes that some operation moved or put in order, with what was below them.
  var relocated: Set<Int> = []
  /// The nodes among them that did not only go along with their section.
  var carried: Set<Int> = []
  /// The identities of nodes that were updated, with what was below them: where they are sorted by
  /// what they contain, they may move.
  var updated: Set<Int> = []
  /// How many operations there were.
  var operationCount = 0
  /// Whether some operation orders siblings anew, with the fewest possible moves.
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
      noteRelocations(by: operation)
    }
    for index in views.indices { views[index].settle(tree) }
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

  /// Records the nodes that an operation, just performed, moved or put in order.
  private func noteRelocations(by operation: ModelOperation) {
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
