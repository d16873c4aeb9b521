/// What a batch did.
package struct ModelOutcome: Sendable {
  /// Whether nodes, objects or order differ after the batch.
  package var treeChanged = false
  /// Whether anything readable differs after the batch: the tree, or a node's expansion.
  package var stateChanged = false
  /// Whether some operation changed something, though a later one may have undone it.
  package var treeTouched = false
  /// Whether some operation changed something, the rule for nodes to come included.
  package var stateTouched = false
  /// Whether the rule for nodes to come is another one after the batch.
  package var ruleChanged = false
  /// The identities of nodes that some operation took to another place, with what was below them.
  package var relocated: Set<Int> = []
}

extension ModelSession {
  /// Applies all operations or none.
  ///
  /// - Throws: ``ModelError`` with the first operation that is refused; nothing has changed then.
  @discardableResult
  package func apply(_ operations: [ModelOperation]) throws(ModelError) -> ModelOutcome {
    let work = copy()
    let before = State(of: self)
    var outcome = ModelOutcome()
    var last = before
    for (index, operation) in operations.enumerated() {
      do {
        try work.perform(operation)
      } catch {
        throw ModelError(code: error.code, operation: index)
      }
      let now = State(of: work)
      outcome.relocated.formUnion(work.relocated(by: operation))
      outcome.treeTouched = outcome.treeTouched || now.tree != last.tree
      outcome.stateTouched = outcome.stateTouched || now != last
      last = now
    }
    outcome.treeChanged = last.tree != before.tree
    outcome.stateChanged = outcome.treeChanged || last.expansion != before.expansion
    outcome.ruleChanged = last.rule != before.rule
    tree = work.tree
    rule = work.rule
    return outcome
  }

  private func perform(_ operation: ModelOperation) throws(ModelRefusal) {
    switch operation {
    case .insert(let node, let parent, let place):
      try tree.insert(node, parent: parent, place: place)
    case .update(let key, let object):
      let node = try tree.node(key)
      guard node.object.bytes != object.bytes else { return }
      tree.update(node, object: object, isMerged: false)
    case .merge(let key, let patch): merge(patch, into: try tree.node(key))
    case .remove(let key): tree.remove(try tree.node(key))
    case .move(let keys, let parent, let place):
      try tree.move(keys, parent: parent, place: place)
    case .expand(let key, let levels): expand(try tree.node(key), levels)
    case .collapse(let key, let levels): collapse(try tree.node(key), levels)
    case .toggle(let key, let levels):
      let node = try tree.node(key)
      if isExpanded(node) { collapse(node, levels) } else { expand(node, levels) }
    case .expandAll: setRule(.all)
    case .collapseAll: setRule(.none)
    case .reveal(let keys): try reveal(keys)
    case .malformed(_, let code): throw ModelRefusal(code: code)
    }
  }

  /// The nodes that an operation, just performed, may have taken to another place.
  private func relocated(by operation: ModelOperation) -> [Int] {
    let keys: [ModelKey] =
      switch operation {
      case .move(let keys, _, _): keys
      case .update(let key, _), .merge(let key, _): tree.sort.isEmpty ? [] : [key]
      default: []
      }
    return keys.compactMap { tree.nodes[$0] }.flatMap(\.subtree).map(\.identity)
  }

  private func merge(_ patch: RawJSON, into node: ModelNode) {
    let merged = node.object.merged(with: patch)
    guard merged.compactBytes != node.object.compactBytes else { return }
    let isPatched = if case .object = patch.kind { true } else { false }
    tree.update(node, object: merged, isMerged: isPatched)
  }

  private func expand(_ node: ModelNode, _ levels: ModelLevels) {
    setExpanded(node, true)
    guard let inside = levels.inside else { return }
    for child in node.children { expand(child, inside) }
  }

  private func collapse(_ node: ModelNode, _ levels: ModelLevels) {
    setExpanded(node, false)
    guard let inside = forgetsNestedExpansion ? .all : levels.inside else { return }
    for child in node.children { collapse(child, inside) }
  }

  private func setRule(_ rule: ModelSessionOptions.Rule) {
    self.rule = rule
    for node in tree.allNodes { node.isToggled = false }
  }

  private func reveal(_ keys: [ModelKey]) throws(ModelRefusal) {
    for key in keys {
      for ancestor in try tree.node(key).ancestors { setExpanded(ancestor, true) }
    }
  }
}

extension ModelLevels {
  /// What is left of the levels one level further in; `nil` when nothing is.
  fileprivate var inside: ModelLevels? {
    switch self {
    case .all: .all
    case .count(let count): count > 1 ? .count(count - 1) : nil
    }
  }
}

/// Everything a batch can change, to be compared as a whole.
private struct State: Equatable {
  struct Node: Equatable {
    var identity: Int
    var parent: Int?
    var object: [UInt8]
    var childState: ModelNode.ChildState
  }

  var tree: [Node]
  var expansion: [Bool]
  var rule: ModelSessionOptions.Rule

  init(of session: ModelSession) {
    let nodes = session.tree.allNodes
    tree = nodes.map {
      Node(
        identity: $0.identity,
        parent: $0.parent?.identity,
        object: $0.object.bytes,
        childState: $0.childState
      )
    }
    expansion = nodes.map(session.isExpanded)
    rule = session.rule
  }
}
