import TreeDomain
import TreeEngine

/// A reading of nodes without the state of a session.
struct TreeReading: ~Copyable {
  private let fields: RowFields
  private var arena = AnswerArena()

  /// Begins a reading.
  ///
  /// - Throws: `tree-not-found`, `revision-changed`.
  init(_ options: ReadOptions, of content: borrowing TreeContent) throws(ServiceError) {
    try content.check(options.expectedRevision)
    fields = options.fields
  }

  /// Returns a node.
  ///
  /// - Throws: `node-not-found`.
  consuming func node(
    _ key: [UInt8],
    of content: borrowing TreeContent
  ) throws(ServiceError) -> TreeNodeView {
    let node = try content.find(key[...])
    let view = read(node, at: content.tree.position(of: node), of: content)
    return TreeNodeView(
      tree: content.id,
      revision: content.treeRevision,
      node: view,
      fields: fields,
      arena: arena.bytes
    )
  }

  /// Returns a range of a node's children, or of the roots.
  ///
  /// - Throws: The errors of ``ChildRuns`` and of ``TreeContent/demand(_:)``.
  consuming func children(
    _ query: ChildrenQuery,
    of content: borrowing TreeContent
  ) throws(ServiceError) -> TreeChildRange {
    let revision = content.treeRevision
    let found = try ChildRuns(query, at: revision, in: content)
    let parent = found.parent.map { arena.key(of: $0, in: content) }
    var nodes: [TreeNode] = []
    for run in found.runs {
      for position in run.range where arena.bytes.count <= content.maxRowBytes {
        try content.meter.count()
        let node = content.tree.child(position, of: run.parent)
        nodes.append(read(node, at: position, of: content))
      }
    }
    try content.demand(bytes: arena.bytes.count)
    return TreeChildRange(
      tree: content.id,
      revision: revision,
      parent: parent,
      childCount: found.childCount,
      offset: query.range.lowerBound,
      nodes: nodes,
      fields: fields,
      arena: arena.bytes
    )
  }

  /// Returns the nodes with some keys.
  ///
  /// - Throws: `content-too-large`.
  /// - Complexity: O(keys × log nodes + bytes of the answer).
  consuming func nodes(
    _ keys: [[UInt8]],
    of content: borrowing TreeContent
  ) throws(ServiceError) -> TreeNodeList {
    try content.demand(nodes: keys.count)
    var nodes: [TreeNode?] = []
    for key in keys {
      try content.meter.count()
      guard let node = content.tree.node(forKey: key.span), !content.tree.isSection(node) else {
        nodes.append(nil)
        continue
      }
      nodes.append(read(node, at: content.tree.position(of: node), of: content))
      try content.demand(bytes: arena.bytes.count)
      try content.checkAnswer(bytes: arena.bytes.count)
    }
    return TreeNodeList(
      tree: content.id,
      revision: content.treeRevision,
      nodes: nodes,
      fields: fields,
      arena: arena.bytes
    )
  }

  private mutating func read(
    _ node: NodeID,
    at position: Int,
    of content: borrowing TreeContent
  ) -> TreeNode {
    let none = ByteSlice(offset: 0, count: 0)
    let parent = content.tree.parent(of: node)
    var answer = TreeNode(
      key: fields.contains(.key) ? arena.key(of: node, in: content) : none,
      parent: fields.contains(.parent) ? arena.key(ofParent: parent, in: content) : nil,
      depth: content.tree.depth(of: node) - 1,
      position: position,
      siblingCount: content.tree.childCount(of: parent),
      childState: content.tree.childState(of: node),
      childCount: content.tree.shownChildCount(of: node),
      object: fields.contains(.object) ? arena.object(of: node, in: content) : none
    )
    if content.sections.isShown, fields.contains(.section) {
      let section = content.sections.all[content.sectionIndex(of: node)]
      answer.section = arena.append(section.name[...])
    }
    return answer
  }
}
