import TreeDomain
import TreeEngine

// Reading the tree without the state of a session.
extension TreeManager {
  /// Returns a node.
  ///
  /// - Throws: `revision-changed`, `node-not-found`.
  func node(
    _ key: [UInt8],
    _ options: ReadOptions
  ) throws(ServiceError) -> TreeNodeView {
    try check(options.expectedRevision)
    let node = try find(key[...])
    var writing = TreeNodeWriting(options.fields)
    return TreeNodeView(
      tree: id,
      revision: treeRevision,
      node: writing.node(node, position: tree.position(of: node), in: self),
      fields: options.fields,
      arena: writing.arena.bytes
    )
  }

  /// Returns a range of a node's children, or of the roots.
  ///
  /// - Throws: `revision-changed`, and the errors of ``childRuns(of:section:_:at:)`` and of
  ///   ``demand(_:)``.
  func children(
    of key: [UInt8]?,
    section: [UInt8]?,
    _ range: Range<Int>,
    _ options: ReadOptions
  ) throws(ServiceError) -> TreeChildRange {
    try check(options.expectedRevision)
    let found = try childRuns(of: key, section: section, range, at: treeRevision)
    var writing = TreeNodeWriting(options.fields)
    let parent = found.parent.map { writing.arena.key(of: $0, in: self) }
    var nodes: [TreeNode] = []
    for run in found.runs {
      for position in run.range where writing.arena.bytes.count <= maxRowBytes {
        try meter.count()
        let node = tree.child(position, of: run.parent)
        nodes.append(writing.node(node, position: position, in: self))
      }
    }
    try demand(bytes: writing.arena.bytes.count)
    return TreeChildRange(
      tree: id,
      revision: treeRevision,
      parent: parent,
      childCount: found.childCount,
      offset: range.lowerBound,
      nodes: nodes,
      fields: options.fields,
      arena: writing.arena.bytes
    )
  }
}

/// Builds the nodes of an answer without a session.
struct TreeNodeWriting: ~Copyable {
  var arena = AnswerArena()
  private let fields: RowFields

  init(_ fields: RowFields) { self.fields = fields }

  mutating func node(
    _ node: NodeID,
    position: Int,
    in manager: borrowing TreeManager
  ) -> TreeNode {
    let none = ByteSlice(offset: 0, count: 0)
    let parent = manager.tree.parent(of: node)
    var answer = TreeNode(
      key: fields.contains(.key) ? arena.key(of: node, in: manager) : none,
      parent: fields.contains(.parent) ? arena.key(ofParent: parent, in: manager) : nil,
      depth: manager.tree.depth(of: node) - 1,
      position: position,
      siblingCount: manager.tree.childCount(of: parent),
      childState: manager.tree.childState(of: node),
      childCount: manager.tree.shownChildCount(of: node),
      object: fields.contains(.object) ? arena.object(of: node, in: manager) : none
    )
    if manager.sections.isShown, fields.contains(.section) {
      let section = manager.sections.all[manager.sectionIndex(of: node)]
      answer.section = arena.append(section.name[...])
    }
    return answer
  }
}
