import TreeDomain
import TreeEngine

extension TreeManager {
  /// A page of visible rows.
  func rows(_ query: RowQuery) throws(ServiceError) -> RowPage {
    try check(query.expectedRevision)
    let (offset, limit) = try window(query.window)
    var arena = AnswerArena()
    let rows = tree.rows(from: offset, limit: limit, in: view)
    let ancestors = rows.first.map { self.ancestors(of: $0.node, &arena) } ?? []
    var answers: [Row] = []
    answers.reserveCapacity(rows.count)
    arena.reserve(rows: rows.count)
    for row in rows { answers.append(arena.row(row, query.fields, in: self)) }
    return RowPage(
      session: session,
      revision: revision,
      rowCount: tree.rowCount(of: view),
      offset: offset,
      ancestors: ancestors,
      rows: answers,
      fields: query.fields,
      arena: arena.bytes
    )
  }

  private func window(_ window: RowQuery.Window) throws(ServiceError) -> (offset: Int, limit: Int) {
    let count = tree.rowCount(of: view)
    switch window {
    case .offset(let offset, let limit):
      guard offset <= count else { throw beyondEnd("offset", offset, count) }
      return (offset, limit)
    case .around(let key, let before, let after):
      let node = try find(key[...])
      guard let index = tree.rowIndex(of: node, in: view) else {
        throw ServiceError(
          .nodeNotVisible,
          "The node is hidden; `reveal` it first.",
          key: key
        )
      }
      let start = max(0, index - before)
      return (start, index - start + 1 + after)
    }
  }

  private func beyondEnd(_ what: String, _ value: Int, _ count: Int) -> ServiceError {
    var error = ServiceError(
      .rangeNotSatisfiable,
      "\(what) is \(value), but there are only \(count)."
    )
    error.limit = count
    error.revision = revision
    return error
  }

  /// The nodes above one, the root first.
  private func ancestors(of node: NodeID, _ arena: inout AnswerArena) -> [Ancestor] {
    var found: [Ancestor] = []
    var above = tree.parent(of: node)
    while above != .forestRoot {
      let index = tree.rowIndex(of: above, in: view)
      found.append(Ancestor(key: arena.key(of: above, in: self), index: index, depth: 0))
      above = tree.parent(of: above)
    }
    found.reverse()
    for depth in found.indices { found[depth].depth = depth }
    return found
  }

  /// The row at an index.
  func row(at index: Int, _ options: ReadOptions) throws(ServiceError) -> NodeView {
    try check(options.expectedRevision)
    let count = tree.rowCount(of: view)
    guard index < count else { throw beyondEnd("The index", index, count) }
    return nodeView(tree.node(atRow: index, in: view), options)
  }

  /// A node, visible or not.
  func node(_ key: [UInt8], _ options: ReadOptions) throws(ServiceError) -> NodeView {
    try check(options.expectedRevision)
    return nodeView(try find(key[...]), options)
  }

  private func nodeView(_ node: NodeID, _ options: ReadOptions) -> NodeView {
    var arena = AnswerArena()
    let row = arena.row(tree.row(of: node, in: view), options.fields, in: self)
    return NodeView(
      session: session,
      revision: revision,
      row: row,
      fields: options.fields,
      arena: arena.bytes
    )
  }

  /// A run of a node's children, or of the roots.
  func children(
    of key: [UInt8]?,
    _ range: Range<Int>,
    _ options: ReadOptions
  ) throws(ServiceError) -> ChildRange {
    try check(options.expectedRevision)
    var parent = NodeID.forestRoot
    if let key { parent = try find(key[...]) }
    let count = tree.childCount(of: parent)
    guard range.lowerBound <= count else { throw beyondEnd("offset", range.lowerBound, count) }
    let rows = tree.children(of: parent, from: range.lowerBound, limit: range.count, in: view)
    var arena = AnswerArena()
    let parentKey = arena.key(ofParent: parent, in: self)
    var nodes: [Row] = []
    for row in rows { nodes.append(arena.row(row, options.fields, in: self)) }
    let state = tree.childState(of: parent)
    return ChildRange(
      session: session,
      revision: revision,
      parent: parentKey,
      childCount: state == .leaf || state == .loaded ? count : nil,
      offset: range.lowerBound,
      nodes: nodes,
      fields: options.fields,
      arena: arena.bytes
    )
  }

  /// The way from the root down to a node's parent.
  func ancestors(of key: [UInt8], _ expected: Revision?) throws(ServiceError) -> Ancestors {
    try check(expected)
    var arena = AnswerArena()
    let ancestors = ancestors(of: try find(key[...]), &arena)
    return Ancestors(
      session: session,
      revision: revision,
      ancestors: ancestors,
      arena: arena.bytes
    )
  }
}
