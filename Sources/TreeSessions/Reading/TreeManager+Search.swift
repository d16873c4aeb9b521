import TreeDomain
import TreeEngine

// Searching all nodes, visible or not.
extension TreeManager {
  /// Returns the matching nodes after a given one, in pre-order, siblings in the session's order.
  ///
  /// - Throws: `node-not-found`, and the errors of ``demand(_:)`` and the meter.
  /// - Complexity: O(nodes until the last match), or O(nodes) if matches are counted.
  func search(
    _ query: SearchQuery,
    in session: OpenSession
  ) throws(ServiceError) -> SearchResult {
    var after: NodeID?
    if let key = query.after { after = try find(key[...]) }
    var found: [NodeID] = []
    var total = 0
    var isBehind = after == nil || !query.isCounting
    var hasMore = false
    try demand(WorkSize(nodes: nodeCount, bytes: tree.byteCount))
    var refusal: ServiceError?
    let ordering = tree.ordering(of: session.view)
    tree.forEachNode(after: query.isCounting ? nil : after, in: ordering) { node in
      do throws(ServiceError) {
        try meter.count(1 + tree.object(of: node).count / 64)
      } catch {
        refusal = error
        return false
      }
      // Matches come after the given node, so it is not one itself.
      let isFound = isBehind
      if node == after { isBehind = true }
      guard !isSection(node), query.search.matches(subject(node)) else { return true }
      total += 1
      guard isFound else { return true }
      guard found.count < query.limit else {
        hasMore = true
        return query.isCounting
      }
      found.append(node)
      return true
    }
    if let refusal { throw refusal }
    let fields = query.fields.shown(in: self, session)
    var writing = RowWriting(fields, sectionRows(of: session), of: self)
    for node in found where writing.byteCount <= maxRowBytes {
      try meter.count()
      writing.write([tree.row(of: node, in: session.view)], of: self)
    }
    try demand(bytes: writing.byteCount)
    let isCut = writing.count < found.count
    let last = isCut || hasMore ? found.prefix(writing.count).last : nil
    return SearchResult(
      session: session.id,
      revision: session.revision,
      matches: writing.finish(),
      next: last.map { Array(tree.key(of: $0)) },
      total: query.isCounting ? total : nil
    )
  }
}
