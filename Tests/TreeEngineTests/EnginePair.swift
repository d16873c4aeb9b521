import Testing

@testable import TreeEngine

/// An engine and a naive tree with the same changes.
struct EnginePair<Width: NodeWidth>: ~Copyable {
  var tree: SizedTree<Width>
  var ids: [SizedTree<Width>.ViewID] = []
  /// The orderings that were added, some of which may be gone.
  var orderings: [NaiveSort: OrderingID] = [:]
  let naive: NaiveTree

  init(rules: [ExpansionRule], history: HistoryLimits = .none) {
    tree = SizedTree(history: history)
    naive = NaiveTree(views: rules.map { NaiveTree.View(rule: $0) })
    ids = rules.map { tree.addView(rule: $0) }
  }

  /// Returns an independent pair, made by a fork of the engine's tree.
  func fork() -> EnginePair {
    EnginePair(tree: tree.fork(), ids: ids, orderings, naive: naive.copy())
  }

  private init(
    tree: consuming SizedTree<Width>,
    ids: [SizedTree<Width>.ViewID],
    _ orderings: [NaiveSort: OrderingID],
    naive: NaiveTree
  ) {
    self.orderings = orderings
    self.tree = tree
    self.ids = ids
    self.naive = naive
  }

  func id(_ node: NaiveTree.Node) -> NodeID {
    node === naive.root ? .forestRoot : tree.node(forKey: Array(node.key.utf8).span) ?? .forestRoot
  }

  mutating func remove(_ node: NaiveTree.Node) {
    tree.remove(id(node))
    naive.remove(node)
  }

  mutating func move(
    _ node: NaiveTree.Node,
    under parent: NaiveTree.Node,
    at index: Int
  ) throws(TreeError) {
    try tree.move(id(node), under: id(parent), at: index)
    relink(node, under: parent, at: index)
  }

  /// Moves a node of the naive tree. A move within a parent does not count as a change of the
  /// parent.
  private func relink(_ node: NaiveTree.Node, under parent: NaiveTree.Node, at index: Int) {
    naive.moved.insert(node.serial)
    let (isChild, state, hint) = (node.parent === parent, parent.state, parent.hint)
    naive.unlink(node)
    naive.link(node, under: parent, at: index)
    if isChild { (parent.state, parent.hint) = (state, hint) }
  }

  mutating func update(_ node: NaiveTree.Node, _ object: String) {
    tree.update(id(node), object: Array(object.utf8).span)
    node.object = object
    naive.updated.insert(node.serial)
  }

  mutating func setExpanded(_ expanded: Bool, _ node: NaiveTree.Node, levels: Int, in view: Int) {
    if expanded {
      tree.expand(id(node), levels: levels, in: ids[view])
    } else {
      tree.collapse(id(node), levels: levels, in: ids[view])
    }
    for below in node.subtree where below.depth - node.depth < levels {
      naive.setExpanded(expanded, below, in: view)
    }
  }

  mutating func reveal(_ nodes: [NaiveTree.Node], in view: Int) {
    tree.reveal(nodes.map { id($0) }, in: ids[view])
    for node in nodes {
      var above = node.parent
      while let parent = above, parent !== naive.root {
        naive.setExpanded(true, parent, in: view)
        above = parent.parent
      }
    }
  }

  mutating func setRule(_ rule: ExpansionRule, in view: Int) {
    tree.setRule(rule, in: ids[view])
    naive.views[view].rule = rule
    naive.views[view].toggled = []
  }

  mutating func setSelected(_ selected: Bool, _ nodes: [NaiveTree.Node], in view: Int) {
    if selected {
      tree.select(nodes.map { id($0) }, in: ids[view])
      naive.views[view].selected.formUnion(nodes.map(\.serial))
    } else {
      tree.deselect(nodes.map { id($0) }, in: ids[view])
      naive.views[view].selected.subtract(nodes.map(\.serial))
    }
  }

  mutating func setSelected(_ selected: Bool, subtreeOf node: NaiveTree.Node, in view: Int) {
    if selected {
      tree.selectSubtree(of: id(node), in: ids[view])
      naive.views[view].selected.formUnion(node.subtree.map(\.serial))
    } else {
      tree.deselectSubtree(of: id(node), in: ids[view])
      naive.views[view].selected.subtract(node.subtree.map(\.serial))
    }
  }

  mutating func clearSelection(in view: Int) {
    tree.clearSelection(in: ids[view])
    naive.views[view].selected = []
  }

  mutating func setChildState(_ state: ChildState, hint: Int?, of node: NaiveTree.Node) {
    tree.setChildState(state, hint: hint.map { Int32($0) }, of: id(node))
    naive.setState(state, hint: hint, of: node)
  }

  /// Makes the given nodes the only children of a parent, as a keyed difference does.
  mutating func setChildren(_ wanted: [NaiveTree.Node], of parent: NaiveTree.Node) throws(TreeError)
  {
    try tree.setChildOrder(wanted.map { id($0) }, of: id(parent))
    let unwanted = parent.children.filter { child in !wanted.contains { $0 === child } }
    for node in wanted {
      let end = parent.children.count - (node.parent === parent ? 1 : 0)
      relink(node, under: parent, at: end)
    }
    for node in unwanted { remove(node) }
  }

  mutating func arrange(_ order: [NaiveTree.Node], of parent: NaiveTree.Node) {
    tree.arrange(children: order.map { id($0) }, of: id(parent))
    parent.children = order
    naive.moved.formUnion(order.map(\.serial))
  }
}
