import TreeDomain
import TreeEngine

/// Ranges of children: of one node, or of several sections in order.
struct ChildRuns {
  let parent: NodeID?
  let childCount: Int?
  let runs: [(parent: NodeID, range: Range<Int>)]

  /// Resolves positions among the children of a node or of sections.
  ///
  /// - Throws: `node-not-found`, `section-not-found`, `range-not-satisfiable`.
  init(
    _ query: ChildrenQuery,
    at revision: Revision,
    in content: borrowing TreeContent
  ) throws(ServiceError) {
    var parents = content.sections.all.map(\.node)
    var parent: NodeID?
    if let key = query.parent {
      let node = try content.find(key[...])
      parent = node
      parents = [node]
    } else if let section = query.section {
      parents = [try content.section(named: section[...])]
    }
    var start = 0
    var runs: [(parent: NodeID, range: Range<Int>)] = []
    for parent in parents {
      let end = start + content.tree.childCount(of: parent)
      let wanted = query.range.clamped(to: start..<end)
      if !wanted.isEmpty {
        runs.append((parent, (wanted.lowerBound - start)..<(wanted.upperBound - start)))
      }
      start = end
    }
    guard query.range.lowerBound <= start else {
      throw content.beyondEnd("offset", start, at: revision)
    }
    childCount = parent.map { content.tree.shownChildCount(of: $0) } ?? start
    (self.parent, self.runs) = (parent, runs)
  }
}
