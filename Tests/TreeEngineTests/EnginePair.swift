import Testing

@testable import TreeEngine

/// The engine and the naive tree side by side, changed alike.
struct EnginePair<Width: NodeWidth>: ~Copyable {
  var tree = SizedTree<Width>()
  var ids: [SizedTree<Width>.ViewID] = []
  let naive: NaiveTree

  init(rules: [ExpansionRule]) {
    naive = NaiveTree(views: rules.map { NaiveTree.View(rule: $0) })
    ids = rules.map { tree.addView(rule: $0) }
  }

  func id(_ node: NaiveTree.Node) -> NodeID {
    node === naive.root ? .forestRoot : tree.node(forKey: Array(node.key.utf8).span) ?? .forestRoot
  }

  /// Inserts a list of nodes given in pre-order with depths.
  mutating func insert(
    _ list: [(key: String, depth: Int, state: ChildState)],
    object: String,
    under parent: NaiveTree.Node,
    at index: Int
  ) throws(TreeError) {
    var bytes: [UInt8] = []
    var nodes: [NewNode] = []
    for (key, depth, state) in list {
      let start = bytes.count
      bytes += Array(key.utf8)
      let middle = bytes.count
      bytes += Array(object.utf8)
      nodes.append(
        NewNode(
          key: start..<middle,
          object: middle..<bytes.count,
          depth: depth,
          childState: state
        )
      )
    }
    try tree.insert(nodes[...], bytes: bytes, under: id(parent), at: index)
    var path: [NaiveTree.Node] = []
    for (key, depth, state) in list {
      let node = naive.makeNode(key: key, object: object, state: state)
      path.removeLast(path.count - depth)
      if let parent = path.last {
        parent.children.append(node)
        parent.state = .loaded
        node.parent = parent
      }
      path.append(node)
    }
    naive.link(path[0], under: parent, at: index)
  }

  mutating func remove(_ node: NaiveTree.Node) {
    tree.remove(id(node))
    naive.unlink(node)
  }

  mutating func move(
    _ node: NaiveTree.Node,
    under parent: NaiveTree.Node,
    at index: Int
  ) throws(TreeError) {
    try tree.move(id(node), under: id(parent), at: index)
    naive.unlink(node)
    naive.link(node, under: parent, at: index)
  }

  mutating func update(_ node: NaiveTree.Node, _ object: String) {
    tree.update(id(node), object: Array(object.utf8).span)
    node.object = object
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
    naive.views[view] = NaiveTree.View(rule: rule)
  }

  /// Compares all that can be asked.
  func check(pageSize: Int, _ context: String) {
    tree.checkInvariants()
    #expect(tree.nodeCount == naive.nodes.count, "\(context)")
    for view in ids.indices {
      let rows = naive.rows(below: naive.root, in: view)
      let index = Dictionary(uniqueKeysWithValues: rows.enumerated().map { ($1.serial, $0) })
      checkPages(rows, pageSize, view, context)
      for node in naive.nodes {
        let expected = expectedRow(node, index[node.serial], in: view)
        let row = tree.row(of: id(node), in: ids[view])
        #expect(row == expected, "\(context) view \(view) node \(node.key)")
        #expect(tree.rowIndex(of: id(node), in: ids[view]) == expected.index, "\(context)")
        if let index = row.index {
          #expect(tree.node(atRow: index, in: ids[view]) == id(node), "\(context)")
        }
        checkChildren(node, index, pageSize, view, context)
      }
      checkChildren(naive.root, index, pageSize, view, context)
    }
  }

  private func checkPages(
    _ rows: [NaiveTree.Node],
    _ size: Int,
    _ view: Int,
    _ context: String
  ) {
    #expect(tree.rowCount(of: ids[view]) == rows.count, "\(context) view \(view)")
    var shown: [ViewRow] = []
    while shown.count < rows.count {
      let page = tree.rows(from: shown.count, limit: size, in: ids[view])
      guard !page.isEmpty else { break }
      shown += page
    }
    let expected = rows.enumerated().map { expectedRow($1, $0, in: view) }
    #expect(shown == expected, "\(context) view \(view)")
  }

  private func checkChildren(
    _ node: NaiveTree.Node,
    _ index: [Int: Int],
    _ size: Int,
    _ view: Int,
    _ context: String
  ) {
    var shown: [ViewRow] = []
    while shown.count < node.children.count {
      let page = tree.children(of: id(node), from: shown.count, limit: size, in: ids[view])
      guard !page.isEmpty else { break }
      shown += page
    }
    let expected = node.children.map { expectedRow($0, index[$0.serial], in: view) }
    #expect(shown == expected, "\(context) view \(view) children of \(node.key)")
  }

  private func expectedRow(_ node: NaiveTree.Node, _ index: Int?, in view: Int) -> ViewRow {
    let line = naive.line(node, in: view)
    return ViewRow(
      node: id(node),
      index: index,
      depth: line.depth,
      parent: node.parent.map { id($0) } ?? .forestRoot,
      position: node.position,
      siblingCount: node.parent?.children.count ?? 0,
      isExpanded: line.expanded,
      childState: node.state,
      childCount: line.childCount,
      visibleDescendantCount: naive.rows(below: node, in: view).count
    )
  }
}
