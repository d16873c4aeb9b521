import TreeDomain
import TreeEngine

/// A reading of rows, nodes and sections with the state of a session.
struct SessionReading {
  let session: OpenSession

  /// Returns the row at an index.
  ///
  /// - Throws: `revision-changed`, `range-not-satisfiable`.
  func row(
    at index: Int,
    _ options: ReadOptions,
    in content: borrowing TreeContent
  ) throws(ServiceError) -> NodeView {
    try session.check(options.expectedRevision)
    let count = content.rowCount(of: session)
    guard index < count else {
      throw content.beyondEnd("index", count, at: session.revision)
    }
    let engineRow = content.sectionRows(of: session).engineRow(of: index)
    return nodeView(content.tree.node(atRow: engineRow, in: session.view), options, in: content)
  }

  /// Returns a node, visible or not.
  ///
  /// - Throws: `revision-changed`, `node-not-found`.
  func node(
    _ key: [UInt8],
    _ options: ReadOptions,
    in content: borrowing TreeContent
  ) throws(ServiceError) -> NodeView {
    try session.check(options.expectedRevision)
    return nodeView(try content.find(key[...]), options, in: content)
  }

  private func nodeView(
    _ node: NodeID,
    _ options: ReadOptions,
    in content: borrowing TreeContent
  ) -> NodeView {
    let fields = options.fields.shown(in: content, session)
    var writing = RowWriting(fields, content.sectionRows(of: session), of: content)
    writing.write([content.tree.row(of: node, in: session.view)], of: content)
    return NodeView(session: session.id, revision: session.revision, row: writing.finish())
  }

  /// Returns the sections, with their rows.
  ///
  /// - Throws: `revision-changed`, and the errors of the meter.
  func sectionList(
    _ expected: Revision?,
    in content: borrowing TreeContent
  ) throws(ServiceError) -> SectionList {
    try session.check(expected)
    try content.meter.count(4 * content.sections.all.count)
    let places = content.sectionRows(of: session)
    let shown = content.sections.shown
    var arena = AnswerArena()
    let views = shown.enumerated().map { index, section in
      let start = places.offset(of: index)
      let end =
        index + 1 < shown.count ? places.offset(of: index + 1) : content.rowCount(of: session)
      return SectionView(
        section: arena.append(section.name[...]),
        index: index,
        rowCount: end - start,
        offset: start,
        rootCount: content.tree.childCount(of: section.node),
        isExpanded: places.isExpanded[index]
      )
    }
    return SectionList(revision: session.revision, sections: views, arena: arena.bytes)
  }

  /// Returns the nodes with some keys, with the state of a session.
  ///
  /// - Throws: `revision-changed`, `content-too-large`.
  /// - Complexity: O(keys × log nodes + bytes of the answer).
  func nodes(
    _ query: NodesQuery,
    in content: borrowing TreeContent
  ) throws(ServiceError) -> NodeList {
    try session.check(query.options.expectedRevision)
    try content.demand(nodes: query.keys.count)
    let fields = query.options.fields.shown(in: content, session)
    var writing = RowWriting(fields, content.sectionRows(of: session), of: content)
    var places: [Int?] = []
    for key in query.keys {
      try content.meter.count()
      guard let node = content.tree.node(forKey: key.span), !content.tree.isSection(node) else {
        places.append(nil)
        continue
      }
      places.append(writing.count)
      writing.write([content.tree.row(of: node, in: session.view)], of: content)
      try content.demand(bytes: writing.byteCount)
      try content.checkAnswer(bytes: writing.byteCount)
    }
    return NodeList(
      session: session.id,
      revision: session.revision,
      rows: writing.finish(),
      places: places
    )
  }

  /// Returns a range of a node's children, or of the roots, with the state of a session.
  ///
  /// - Throws: `revision-changed`, and the errors of ``ChildRuns`` and of the
  ///   meter.
  func children(
    _ query: ChildrenQuery,
    in content: borrowing TreeContent
  ) throws(ServiceError) -> ChildRange {
    try session.check(query.options.expectedRevision)
    let found = try ChildRuns(query, at: session.revision, in: content)
    let fields = query.options.fields.shown(in: content, session)
    var writing = RowWriting(fields, content.sectionRows(of: session), of: content)
    for run in found.runs {
      try content.meter.count(run.range.count)
      let rows = content.tree.children(
        of: run.parent,
        from: run.range.lowerBound,
        limit: run.range.count,
        in: session.view
      )
      writing.write(rows[...], of: content, maxBytes: content.maxRowBytes)
      try content.demand(bytes: writing.byteCount)
    }
    return ChildRange(
      session: session.id,
      revision: session.revision,
      parent: found.parent.map { Array(content.tree.key(of: $0)) },
      childCount: found.childCount,
      offset: query.range.lowerBound,
      nodes: writing.finish()
    )
  }

  /// Returns the matching nodes after a given one, in pre-order, siblings in the session's order.
  ///
  /// - Throws: `node-not-found`, and the errors of ``TreeContent/demand(_:)`` and the meter.
  /// - Complexity: O(nodes until the last match), or O(nodes) if matches are counted.
  func search(
    _ query: SearchQuery,
    in content: borrowing TreeContent
  ) throws(ServiceError) -> SearchResult {
    var after: NodeID?
    if let key = query.after { after = try content.find(key[...]) }
    var found: [NodeID] = []
    var total = 0
    var isBehind = after == nil || !query.isCounting
    var hasMore = false
    try content.demand(WorkSize(nodes: content.nodeCount, bytes: content.tree.byteCount))
    var refusal: ServiceError?
    let ordering = content.tree.ordering(of: session.view)
    content.tree.forEachNode(after: query.isCounting ? nil : after, in: ordering) { node in
      // Matches come after the given node, so it is not one itself.
      let isFound = isBehind
      if node == after { isBehind = true }
      guard !content.tree.isSection(node) else { return true }
      do throws(ServiceError) {
        let subject = SortOrder.Subject(of: node, in: content.tree)
        guard try query.search.matches(subject, counting: content.meter.count) else { return true }
      } catch {
        refusal = error
        return false
      }
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
    let fields = query.fields.shown(in: content, session)
    var writing = RowWriting(fields, content.sectionRows(of: session), of: content)
    for node in found where writing.byteCount <= content.maxRowBytes {
      try content.meter.count()
      writing.write([content.tree.row(of: node, in: session.view)], of: content)
    }
    try content.demand(bytes: writing.byteCount)
    let isCut = writing.count < found.count
    let last = isCut || hasMore ? found.prefix(writing.count).last : nil
    return SearchResult(
      session: session.id,
      revision: session.revision,
      matches: writing.finish(),
      next: last.map { Array(content.tree.key(of: $0)) },
      total: query.isCounting ? total : nil
    )
  }
}

extension RowFields {
  /// Returns those members that exist in the rows of a session.
  func shown(in content: borrowing TreeContent, _ session: OpenSession) -> RowFields {
    var fields = self
    if !content.sections.isShown { fields.subtract([.section, .sectionRow]) }
    if session.options.filter == nil { fields.remove(.matched) }
    return fields
  }
}
