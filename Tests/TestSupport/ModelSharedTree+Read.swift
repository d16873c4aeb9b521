// Reads of a tree without a view.
extension ModelSharedTree {
  /// The number of nodes.
  package var nodeCount: Int { tree.nodes.count }

  /// The keys of all nodes, in pre-order.
  package var keys: [ModelKey] { tree.allNodes.map(\.key) }

  /// The members of a tree's description, beside its name and revision.
  package var descriptionMembers: [(String, [UInt8])] {
    let sections = tree.hasSections ? tree.sections.map { JSONText.key($0.name) } : []
    return [("nodeCount", JSONText.number(nodeCount)), ("sections", JSONText.array(sections))]
  }

  /// Returns the members of a node as a tree answers it; nil if no node has the key.
  package func nodeMembers(of key: ModelKey) -> [(String, [UInt8])]? {
    tree.nodes[key].map(members)
  }

  /// Returns the members of the children of a node, or of the roots.
  package func childMembers(of key: ModelKey?) -> [[(String, [UInt8])]]? {
    guard let key else { return tree.roots.map(members) }
    return tree.nodes[key]?.children.map(members)
  }

  /// The lines of an export.
  package var exportedLines: [RawJSON] {
    tree.allNodes.compactMap { node in
      var members = [("key", JSONText.key(node.key))]
      if let parent = node.parent { members.append(("parent", JSONText.key(parent.key))) }
      if node.parent == nil, tree.hasSections {
        members.append(("section", JSONText.key(tree.section(of: node).name)))
      }
      if node.object.text != "null" { members.append(("object", node.object.compactBytes)) }
      if node.childState == .loaded, node.children.isEmpty {
        members.append(("children", JSONText.array([])))
      } else if node.childState != .leaf, node.childState != .loaded {
        members.append(("children", JSONText.string("unloaded")))
      }
      return try? RawJSON(parsing: JSONText.object(members))
    }
  }

  private func members(_ node: ModelNode) -> [(String, [UInt8])] {
    let siblings = tree.siblings(of: node)
    let section = tree.hasSections ? [("section", JSONText.key(tree.section(of: node).name))] : []
    return [
      ("key", JSONText.key(node.key)), ("parent", JSONText.key(node.parent?.key)),
      ("depth", JSONText.number(node.depth)),
    ] + section + [
      ("position", JSONText.number(siblings.firstIndex { $0 === node })),
      ("siblingCount", JSONText.number(siblings.count)),
      ("childState", JSONText.string(node.childState.rawValue)),
      ("childCount", JSONText.number(node.shownChildCount)),
      ("object", node.object.compactBytes),
    ]
  }
}
