import TreeDomain
import TreeEngine

// Finding nodes, shown or not.
extension TreeManager {
  /// The nodes in pre-order, from behind a given one on, that match.
  ///
  /// - Complexity: O(nodes looked at), which are all where the matches are counted.
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
    var cost = 0
    var isTooLong = false
    tree.forEachNode(after: query.isCounting ? nil : after) { node in
      cost += searching(node)
      isTooLong = isLong(searching: cost)
      guard !isTooLong else { return false }
      // A match of its own is before what comes behind it.
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
    if isTooLong { try afford(searching: cost) }
    let fields = query.fields.shown(in: self, session)
    var writing = RowWriting(fields, sectionRows(of: session), of: self)
    for node in found where writing.byteCount <= maxRowBytes {
      writing.write([tree.row(of: node, in: session.view)], of: self)
    }
    try afford(writing: writing.byteCount)
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
