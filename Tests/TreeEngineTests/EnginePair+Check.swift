import Testing

@testable import TreeEngine

extension EnginePair {
  /// Compares everything that can be read.
  func check(pageSize: Int, _ context: String) {
    tree.checkInvariants()
    #expect(tree.nodeCount == naive.nodes.count, "\(context)")
    for view in ids.indices {
      let rows = naive.rows(in: view)
      let index = Dictionary(uniqueKeysWithValues: rows.enumerated().map { ($1.serial, $0) })
      checkPages(rows, pageSize, view, context)
      checkSets(in: view, context)
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

  /// Checks the nodes of listed deletions, and that deletions within the limit are listed.
  func checkNames(
    of list: ChangeList,
    before: [NaiveTree.Line],
    mostNamed: Int,
    _ context: String
  ) {
    let count = list.deletions.reduce(0) { $0 + $1.count }
    for deletion in list.deletions {
      let lines = before[deletion.index..<(deletion.index + deletion.count)]
      guard let nodes = deletion.nodes else {
        #expect(count > mostNamed, "\(count) rows are not named, \(context)")
        continue
      }
      let keys = list.deletedNodes[nodes].map { String(decoding: tree.key(of: $0), as: UTF8.self) }
      #expect(keys == lines.reversed().map(\.key), "other rows are named, \(context)")
    }
  }

  /// Returns a change list and the unloaded nodes as text, with keys because ids may change.
  func text(of list: ChangeList, _ unloaded: [NodeID]) -> [String] {
    func key(_ node: NodeID) -> String { String(decoding: tree.key(of: node), as: UTF8.self) }
    var lines = list.deletions.map { "delete \($0.index) \($0.count) \($0.nodes != nil)" }
    lines += list.deletedNodes.map { "deleted \(key($0))" }
    lines += list.placements.map { "place \($0.index ?? -1) \($0.newIndex) \($0.count)" }
    for update in list.updates {
      let (index, newIndex, fields) = (update.index, update.newIndex, update.fields.rawValue)
      lines.append("update \(index) \(newIndex) \(key(update.node)) \(fields)")
    }
    return lines + ["reparented \(list.reparented)", "unloaded \(unloaded.map(key))"]
  }

  /// Compares the toggled and the selected nodes.
  private func checkSets(in view: Int, _ context: String) {
    let state = naive.views[view]
    let toggled = naive.nodes.filter { state.toggled.contains($0.serial) }.map { id($0) }
    let selected = naive.nodes.filter { state.selected.contains($0.serial) }.map { id($0) }
    #expect(tree.rule(of: ids[view]) == state.rule, "\(context)")
    #expect(tree.toggledNodes(in: ids[view]) == toggled, "\(context) view \(view)")
    #expect(tree.selectedNodes(in: ids[view]) == selected, "\(context) view \(view)")
    #expect(tree.selectedCount(of: ids[view]) == selected.count, "\(context) view \(view)")
    for node in naive.nodes {
      let siblings = node.parent?.children ?? []
      let expanded = siblings.filter { $0 !== node && naive.isExpanded($0, in: view) }
      let told = tree.expandedSiblings(of: id(node), in: ids[view])
      #expect(told == expanded.map { id($0) }, "\(context) view \(view) \(node.key)")
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
    checkOutline(expected, size, view, context)
  }

  /// Compares the outlines of rows and their ancestors.
  private func checkOutline(
    _ rows: [ViewRow],
    _ size: Int,
    _ view: Int,
    _ context: String
  ) {
    let (keys, objects) = (tree.keyBytes(), tree.objectBytes())
    let shown = tree.outline(from: 0, limit: .max, in: ids[view])
    #expect(shown.map(\.node) == rows.map(\.node), "\(context) view \(view)")
    let some = Array(stride(from: 0, to: rows.count, by: size))
    let runs: [ChangeList.Placement] = some.map { .init(newIndex: $0, count: 1) }
    let outlined = tree.outline(of: ShortList(runs)[...], in: ids[view])
    #expect(outlined.map(\.node) == some.map { rows[$0].node }, "\(context) \(view)")
    #expect(outlined.map(\.depth) == some.map { rows[$0].depth }, "\(context) \(view)")
    for (outlined, row) in zip(shown, rows) {
      let isRight =
        outlined.parent == row.parent && outlined.depth == row.depth
        && keys.elements(of: outlined.key) == Array(tree.key(of: row.node))
        && objects.elements(of: outlined.object) == Array(tree.object(of: row.node))
      #expect(isRight, "\(context) view \(view) \(row)")
    }
    let indexes = Dictionary(uniqueKeysWithValues: rows.enumerated().map { ($1.node, $0) })
    for row in stride(from: 0, to: rows.count, by: size) {
      var above: [NodeID] = []
      var next = rows[row].parent
      while let index = indexes[next] {
        above.append(next)
        next = rows[index].parent
      }
      let told = tree.ancestors(ofRow: row, in: ids[view])
      #expect(told.map(\.row.node) == above, "\(context) view \(view) above \(row)")
      #expect(
        told.map(\.index) == above.map { indexes[$0] },
        "\(context) view \(view) above \(row)"
      )
      let isOutlined = told.allSatisfy { rows[$0.index].depth == $0.row.depth }
      #expect(isOutlined, "\(context) view \(view) above \(row)")
      let nearest = tree.ancestors(ofRow: row, atMost: 1, in: ids[view])
      #expect(nearest.map(\.row.node) == Array(above.prefix(1)), "\(context) view \(view)")
    }
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
    let expected = naive.children(of: node, in: view).map {
      expectedRow($0, index[$0.serial], in: view)
    }
    #expect(shown == expected, "\(context) view \(view) children of \(node.key)")
  }

  private func expectedRow(_ node: NaiveTree.Node, _ index: Int?, in view: Int) -> ViewRow {
    let line = naive.line(node, in: view)
    let siblings = naive.countedSiblings(of: node, isRow: index != nil, in: view)
    return ViewRow(
      node: id(node),
      index: index,
      depth: line.depth,
      parent: node.parent.map { id($0) } ?? .forestRoot,
      position: siblings.firstIndex { $0 === node } ?? 0,
      siblingCount: siblings.count,
      isExpanded: line.expanded,
      childState: node.state,
      childCount: line.childCount,
      visibleDescendantCount: naive.rows(below: node, in: view).count,
      isSelected: line.selected,
      isMatched: line.matched
    )
  }
}

extension ByteArena {
  /// Returns a copy of a slice's bytes.
  func elements(of slice: Slice) -> [UInt8] {
    var bytes: [UInt8] = []
    append(slice, to: &bytes)
    return bytes
  }
}
