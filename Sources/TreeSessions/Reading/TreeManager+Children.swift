import TreeDomain
import TreeEngine

// Ranges of children or roots.
extension TreeManager {
  /// Returns a range of a node's children, or of the roots, with the state of a session.
  ///
  /// - Throws: `revision-changed`, and the errors of ``childRuns(of:section:_:at:)`` and of the
  ///   meter.
  func children(
    of key: [UInt8]?,
    section: [UInt8]?,
    _ range: Range<Int>,
    _ session: OpenSession,
    _ options: ReadOptions
  ) throws(ServiceError) -> ChildRange {
    try session.check(options.expectedRevision)
    let found = try childRuns(of: key, section: section, range, at: session.revision)
    let fields = options.fields.shown(in: self, session)
    var writing = RowWriting(fields, sectionRows(of: session), of: self)
    for run in found.runs {
      try meter.count(run.range.count)
      let rows = tree.children(
        of: run.parent,
        from: run.range.lowerBound,
        limit: run.range.count,
        in: session.view
      )
      writing.write(rows[...], of: self, maxBytes: maxRowBytes)
      try demand(bytes: writing.byteCount)
    }
    return ChildRange(
      session: session.id,
      revision: session.revision,
      parent: found.parent.map { Array(tree.key(of: $0)) },
      childCount: found.childCount,
      offset: range.lowerBound,
      nodes: writing.finish()
    )
  }

  /// Ranges of children: of one node, or of several sections in order.
  struct ChildRuns {
    var parent: NodeID?
    var childCount: Int?
    var runs: [(parent: NodeID, range: Range<Int>)]
  }

  /// Resolves positions among the children of a node or of sections.
  ///
  /// - Throws: `node-not-found`, `section-not-found`, `range-not-satisfiable`.
  func childRuns(
    of key: [UInt8]?,
    section: [UInt8]?,
    _ range: Range<Int>,
    at revision: Revision
  ) throws(ServiceError) -> ChildRuns {
    var parents = sections.all.map(\.node)
    var parent: NodeID?
    if let key {
      let node = try find(key[...])
      parent = node
      parents = [node]
    } else if let section {
      parents = [try self.section(named: section[...])]
    }
    var start = 0
    var runs: [(parent: NodeID, range: Range<Int>)] = []
    for parent in parents {
      let end = start + tree.childCount(of: parent)
      let wanted = range.clamped(to: start..<end)
      if !wanted.isEmpty {
        runs.append((parent, (wanted.lowerBound - start)..<(wanted.upperBound - start)))
      }
      start = end
    }
    guard range.lowerBound <= start else {
      throw beyondEnd("offset", start, at: revision)
    }
    let count = parent.map { tree.shownChildCount(of: $0) } ?? start
    return ChildRuns(parent: parent, childCount: count, runs: runs)
  }
}
