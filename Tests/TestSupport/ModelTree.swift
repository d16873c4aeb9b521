/// A naive ordered forest in sections: what the contract calls a tree, in the plainest form that
/// can be right.
///
/// Every question is answered by walking. Operations change the tree in place and may leave it half
/// changed when they throw: who applies them works on a copy.
final class ModelTree {
  var sections: [ModelSection] = []
  var nodes: [ModelKey: ModelNode] = [:]
  /// The tree-level sort; empty when there is none.
  var sort: [ModelSort]
  /// The greatest depth a node may have; `nil` for no limit.
  let maximumDepth: Int?
  private var lastIdentity = 0

  /// An empty tree; without names it has one nameless section.
  init(sections names: [ModelKey] = [], sort: [ModelSort] = [], maximumDepth: Int? = nil) {
    self.sort = sort
    self.maximumDepth = maximumDepth
    for name in names.isEmpty ? [""] : names {
      sections.append(ModelSection(identity: newIdentity(), name: name))
    }
  }

  /// A copy with the same identities.
  func copy() -> ModelTree {
    let copy = ModelTree(sort: sort, maximumDepth: maximumDepth)
    copy.sections = sections.map { $0.copy() }
    copy.lastIdentity = lastIdentity
    for node in copy.allNodes { copy.nodes[node.key] = node }
    return copy
  }

  /// A number that nothing else in this tree ever had.
  func newIdentity() -> Int {
    lastIdentity += 1
    return lastIdentity
  }

  /// Whether the sections are shown: not when there is only the nameless one.
  var hasSections: Bool {
    sections.count > 1 || sections.contains { !$0.name.bytes.isEmpty }
  }

  /// The roots of all sections.
  var roots: [ModelNode] {
    sections.flatMap(\.roots)
  }

  /// Every node, in pre-order.
  var allNodes: [ModelNode] {
    roots.flatMap(\.subtree)
  }

  /// The section that a node or its root is in.
  func section(of node: ModelNode) -> ModelSection {
    let root = node.ancestors.first ?? node
    guard let section = sections.first(where: { $0.roots.contains { $0 === root } }) else {
      preconditionFailure("\(node.key) is in no section")
    }
    return section
  }

  /// What a node hangs below.
  func parent(of node: ModelNode) -> ModelParent {
    node.parent.map(ModelParent.node) ?? .section(section(of: node))
  }

  /// The node and its siblings.
  func siblings(of node: ModelNode) -> [ModelNode] {
    parent(of: node).children
  }

  /// The children of a node, or all roots.
  func children(of parent: ModelNode?) -> [ModelNode] {
    parent?.children ?? roots
  }

  /// The node of a key, which a client named.
  func node(_ key: ModelKey) throws(ModelRefusal) -> ModelNode {
    guard let node = nodes[key] else { throw ModelRefusal(code: .nodeNotFound) }
    return node
  }

  /// The section of a name, which a client gave.
  func section(_ name: ModelKey) throws(ModelRefusal) -> ModelSection {
    guard let section = sections.first(where: { $0.name == name }) else {
      throw ModelRefusal(code: .sectionNotFound)
    }
    return section
  }
}
