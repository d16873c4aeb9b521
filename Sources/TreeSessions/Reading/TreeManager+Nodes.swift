import TreeDomain
import TreeEngine

// Nodes by lists of keys.
extension TreeManager {
  /// Returns the nodes with some keys, with the state of a session.
  ///
  /// - Throws: `revision-changed`, `content-too-large`.
  /// - Complexity: O(keys × log nodes + bytes of the answer).
  func nodes(_ query: NodesQuery, of session: OpenSession) throws(ServiceError) -> NodeList {
    try session.check(query.options.expectedRevision)
    try demand(nodes: query.keys.count)
    let fields = query.options.fields.shown(in: self, session)
    var writing = RowWriting(fields, sectionRows(of: session), of: self)
    var places: [Int?] = []
    for key in query.keys {
      try meter.count()
      guard let node = tree.node(forKey: key.span), !isSection(node) else {
        places.append(nil)
        continue
      }
      places.append(writing.count)
      writing.write([tree.row(of: node, in: session.view)], of: self)
      try demand(bytes: writing.byteCount)
      try checkRoom(for: writing.byteCount)
    }
    return NodeList(
      session: session.id,
      revision: session.revision,
      rows: writing.finish(),
      places: places
    )
  }

  /// Returns the nodes with some keys, without the state of a session.
  ///
  /// - Throws: `revision-changed`, `content-too-large`.
  /// - Complexity: O(keys × log nodes + bytes of the answer).
  func nodes(_ query: NodesQuery) throws(ServiceError) -> TreeNodeList {
    try check(query.options.expectedRevision)
    try demand(nodes: query.keys.count)
    var writing = TreeNodeWriting(query.options.fields)
    var nodes: [TreeNode?] = []
    for key in query.keys {
      try meter.count()
      guard let node = tree.node(forKey: key.span), !isSection(node) else {
        nodes.append(nil)
        continue
      }
      nodes.append(writing.node(node, position: tree.position(of: node), in: self))
      try demand(bytes: writing.arena.bytes.count)
      try checkRoom(for: writing.arena.bytes.count)
    }
    return TreeNodeList(
      tree: id,
      revision: treeRevision,
      nodes: nodes,
      fields: query.options.fields,
      arena: writing.arena.bytes
    )
  }

  private func checkRoom(for bytes: Int) throws(ServiceError) {
    guard bytes > limits.maxAnswerBytes else { return }
    var error = ServiceError(
      .contentTooLarge,
      "The nodes have more than \(limits.maxAnswerBytes) bytes; ask for fewer keys or fields."
    )
    error.limit = limits.maxAnswerBytes
    throw error
  }
}
