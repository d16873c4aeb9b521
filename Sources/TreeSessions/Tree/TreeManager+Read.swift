import TreeDomain
import TreeEngine

// What a session reads.
extension TreeManager {
  /// A page of visible rows.
  func rows(_ query: RowQuery, of session: OpenSession) throws(ServiceError) -> RowPage {
    try session.check(query.expectedRevision)
    let places = sectionRows(of: session)
    let (offset, limit) = try window(query.window, session, places)
    let fields = query.fields.shown(in: self, session)
    let count = min(limit, rowCount(of: session) - offset)
    var arena = AnswerArena()
    let ancestors = count > 0 ? try ancestors(ofRow: offset, session, places, &arena) : []
    var writing = RowWriting(fields, places, of: self, capacity: count)
    write(rows: engineRows(from: offset, count: count, places), of: session, fields, to: &writing)
    try afford(writing: writing.byteCount)
    return RowPage(
      session: session.id,
      revision: session.revision,
      rowCount: rowCount(of: session),
      offset: offset,
      ancestors: ancestors,
      rows: writing.finish(),
      arena: arena.bytes
    )
  }

  /// Writes rows of the engine, as far as there is time.
  private func write(
    rows parts: [Range<Int>],
    of session: OpenSession,
    _ fields: RowFields,
    to writing: inout RowWriting
  ) {
    for part in parts {
      let (start, limit) = (part.lowerBound, part.count)
      if fields.isDisjoint(with: .standing) {
        let rows = tree.outline(from: start, limit: limit, in: session.view)
        writing.write(rows, from: start, of: self, bytesMax: affordableBytes)
      } else {
        let isPlaced = fields.tellPlaces
        let rows = tree.rows(from: start, limit: limit, in: session.view, isPlaced: isPlaced)
        writing.write(rows[...], of: self, bytesMax: affordableBytes)
      }
    }
  }

  private func window(
    _ window: RowQuery.Window,
    _ session: OpenSession,
    _ places: SectionRows
  ) throws(ServiceError) -> (offset: Int, limit: Int) {
    let count = rowCount(of: session)
    switch window {
    case .offset(let offset, let limit):
      guard offset <= count else {
        throw beyondEnd("offset", offset, count, at: session.revision)
      }
      return (offset, limit)
    case .around(let key, let before, let after):
      let node = try find(key[...])
      guard let index = rowIndex(of: node, in: session, places) else {
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

  func beyondEnd(_ what: String, _ value: Int, _ count: Int, at now: Revision) -> ServiceError {
    var error = ServiceError(
      .rangeNotSatisfiable,
      "\(what) is \(value), but there are only \(count)."
    )
    error.limit = count
    error.revision = now
    return error
  }

  /// The nodes above a row, the root first.
  ///
  /// - Throws: `overloaded` in haste.
  private func ancestors(
    ofRow row: Int,
    _ session: OpenSession,
    _ places: SectionRows,
    _ arena: inout AnswerArena
  ) throws(ServiceError) -> [Ancestor] {
    let engineRow = places.engineRow(of: row)
    let above = tree.ancestors(ofRow: engineRow, atMost: walkableAncestors, in: session.view)
    try afford(walking: above.count)
    var found: [Ancestor] = []
    found.reserveCapacity(above.count)
    let keys = tree.keyBytes()
    // The one that stands under nothing is a section.
    for (row, index) in above.reversed() where row.parent != .forestRoot {
      let index = places.location(of: index).row
      let key = arena.append(row.key, of: keys)
      found.append(Ancestor(key: key, index: index, depth: found.count))
    }
    return found
  }

  /// The nodes above one, the root first.
  ///
  /// - Throws: `overloaded` in haste.
  private func ancestors(
    of node: NodeID,
    _ session: OpenSession,
    _ places: SectionRows,
    _ arena: inout AnswerArena
  ) throws(ServiceError) -> [Ancestor] {
    var found: [Ancestor] = []
    var above = tree.parent(of: node)
    while !isSection(above) {
      let index = rowIndex(of: above, in: session, places)
      found.append(Ancestor(key: arena.key(of: above, in: self), index: index, depth: 0))
      try afford(walking: found.count)
      above = tree.parent(of: above)
    }
    found.reverse()
    for depth in found.indices { found[depth].depth = depth }
    return found
  }

  /// The row at an index.
  func row(
    at index: Int,
    of session: OpenSession,
    _ options: ReadOptions
  ) throws(ServiceError) -> NodeView {
    try session.check(options.expectedRevision)
    let count = rowCount(of: session)
    guard index < count else {
      throw beyondEnd("The index", index, count, at: session.revision)
    }
    let engineRow = sectionRows(of: session).engineRow(of: index)
    return nodeView(tree.node(atRow: engineRow, in: session.view), session, options)
  }

  /// A node, visible or not.
  func node(
    _ key: [UInt8],
    of session: OpenSession,
    _ options: ReadOptions
  ) throws(ServiceError) -> NodeView {
    try session.check(options.expectedRevision)
    return nodeView(try find(key[...]), session, options)
  }

  private func nodeView(
    _ node: NodeID,
    _ session: OpenSession,
    _ options: ReadOptions
  ) -> NodeView {
    let fields = options.fields.shown(in: self, session)
    var writing = RowWriting(fields, sectionRows(of: session), of: self)
    writing.write([tree.row(of: node, in: session.view)], of: self)
    return NodeView(session: session.id, revision: session.revision, row: writing.finish())
  }

  /// The way from the root down to a node's parent.
  func ancestors(
    of key: [UInt8],
    _ session: OpenSession,
    _ expected: Revision?
  ) throws(ServiceError) -> Ancestors {
    try session.check(expected)
    var arena = AnswerArena()
    let node = try find(key[...])
    let ancestors = try ancestors(of: node, session, sectionRows(of: session), &arena)
    return Ancestors(
      session: session.id,
      revision: session.revision,
      ancestors: ancestors,
      arena: arena.bytes
    )
  }

  /// The sections, with their rows.
  func sectionList(
    of session: OpenSession,
    _ expected: Revision?
  ) throws(ServiceError) -> SectionList {
    try session.check(expected)
    let places = sectionRows(of: session)
    let shown = sections.shown
    var arena = AnswerArena()
    let views = shown.enumerated().map { index, section in
      let start = places.offset(of: index)
      let end = index + 1 < shown.count ? places.offset(of: index + 1) : rowCount(of: session)
      return SectionView(
        section: arena.append(section.name[...]),
        index: index,
        rowCount: end - start,
        offset: start,
        rootCount: tree.childCount(of: section.node),
        isExpanded: places.isExpanded[index]
      )
    }
    return SectionList(revision: session.revision, sections: views, arena: arena.bytes)
  }
}

extension RowFields {
  /// The members that there are to rows of a session.
  func shown(in manager: borrowing TreeManager, _ session: OpenSession) -> RowFields {
    var fields = self
    if !manager.sections.isShown { fields.subtract([.section, .sectionRow]) }
    if session.options.filter == nil { fields.remove(.matched) }
    return fields
  }

  /// Whether they tell what has to be searched or counted: places among siblings, rows below.
  fileprivate var tellPlaces: Bool { !isDisjoint(with: [.position, .visibleDescendantCount]) }
}
