/// A naive ordered forest in sections, the contract's tree in the simplest form.
///
/// Reads walk the whole tree. Operations change the tree in place, and may leave it half changed if
/// they throw. Callers therefore apply them to a copy.
final class ModelTree {
  var sections: [ModelSection] = []
  var nodes: [ModelKey: ModelNode] = [:]
  /// The sort of the tree; empty if there is none.
  var sort: [ModelSort]
  /// The greatest depth of a node; nil for no limit.
  let maximumDepth: Int?
  private var lastIdentity = 0

  /// Creates an empty tree, with one nameless section if no names are given.
  init(sections names: [ModelKey] = [], sort: [ModelSort] = [], maximumDepth: Int? = nil) {
    self.sort = sort
    self.maximumDepth = maximumDepth
    for name in names.isEmpty ? [""] : names {
      sections.append(ModelSection(identity: newIdentity(), name: name))
    }
  }

  /// Returns a copy with the same identities.
  func copy() -> ModelTree {
    let copy = ModelTree(sort: sort, maximumDepth: maximumDepth)
    copy.sections = sections.map { $0.copy() }
    copy.lastIdentity = lastIdentity
    for node in copy.allNodes { copy.nodes[node.key] = node }
    return copy
  }

  /// Returns a new number that is unique in this tree.
  func newIdentity() -> Int {
    lastIdentity += 1
    return lastIdentity
  }

  /// True if answers show sections, which a single nameless one is not.
  var hasSections: Bool {
    sections.count > 1 || sections.contains { !$0.name.bytes.isEmpty }
  }

  /// The roots of all sections.
  var roots: [ModelNode] {
    sections.flatMap(\.roots)
  }

  /// The nodes, in pre-order.
  var allNodes: [ModelNode] {
    roots.flatMap(\.subtree)
  }

  /// Returns the section of a node's root.
  func section(of node: ModelNode) -> ModelSection {
    let root = node.ancestors.first ?? node
    guard let section = sections.first(where: { $0.roots.contains { $0 === root } }) else {
      preconditionFailure("\(node.key) is in no section")
    }
    return section
  }

  /// Returns the parent of a node.
  func parent(of node: ModelNode) -> ModelParent {
    node.parent.map(ModelParent.node) ?? .section(section(of: node))
  }

  /// Returns the node and its siblings.
  func siblings(of node: ModelNode) -> [ModelNode] {
    parent(of: node).children
  }

  /// Returns the children of a node, or all roots.
  func children(of parent: ModelNode?) -> [ModelNode] {
    parent?.children ?? roots
  }

  /// Returns the node of a key in a request.
  func node(_ key: ModelKey) throws(ModelRefusal) -> ModelNode {
    guard let node = nodes[key] else { throw ModelRefusal(code: .nodeNotFound) }
    return node
  }

  /// Returns the section of a name in a request.
  func section(_ name: ModelKey) throws(ModelRefusal) -> ModelSection {
    guard let section = sections.first(where: { $0.name == name }) else {
      throw ModelRefusal(code: .sectionNotFound)
    }
    return section
  }
}
