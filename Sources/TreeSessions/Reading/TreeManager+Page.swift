import JSON
import TreeDomain
import TreeEngine

// Pages of visible rows.
extension TreeManager {
  /// Returns a page of visible rows.
  ///
  /// The page has fewer rows than requested if these exceed the size of an answer.
  ///
  /// - Throws: `revision-changed`, `range-not-satisfiable`, `node-not-found`, `node-not-visible`,
  ///   and the errors of ``demand(_:)``.
  func rows(_ query: RowQuery, of session: OpenSession) throws(ServiceError) -> RowPage {
    try session.check(query.expectedRevision)
    let places = sectionRows(of: session)
    let window = try window(query, session, places)
    if query.heldRevisions?.contains(session.revision) == true {
      return RowPage(heldAt: session.revision)
    }
    let fields = query.fields.shown(in: self, session)
    let rows = window.rows
    let changes = try changes(of: session, query)
    let (page, count) = try page(rows, of: session, fields, query.ancestors, changes, places)
    guard let sought = window.sought, sought >= rows.lowerBound + count else { return page }
    // The requested row takes precedence over the rows before it.
    let rest = sought..<rows.upperBound
    return try self.page(rest, of: session, fields, query.ancestors, changes, places).page
  }

  /// Returns the changes that a page includes.
  private func changes(
    of session: OpenSession,
    _ query: RowQuery
  ) throws(ServiceError) -> RowPage.Changes {
    guard let since = query.since else { return .unasked }
    do throws(ServiceError) {
      let options = BatchOptions(format: query.changeFormat)
      return .list(try changes(of: session, since: since, options))
    } catch {
      guard error.code == .historyExpired else { throw error }
      return .forgotten
    }
  }

  /// Returns a page of some rows, and the number of rows in it.
  private func page(
    _ rows: Range<Int>,
    of session: OpenSession,
    _ fields: RowFields,
    _ ancestors: AncestorQuery,
    _ changes: RowPage.Changes,
    _ places: SectionRows
  ) throws(ServiceError) -> (page: RowPage, count: Int) {
    let offset = rows.lowerBound
    let engineRows = engineRows(from: offset, count: rows.count, places)
    var count = 0
    if fields.isDisjoint(with: .standing) {
      let outline = OutlineWriting(engineRows, of: session, fields, places, in: self)
      // Meanwhile the processor loads the strings of the rows.
      let above =
        rows.isEmpty ? [] : try self.ancestors(ofRow: offset, ancestors, session, places)
      let page = try page(
        of: session,
        from: offset,
        above,
        ancestors,
        changes,
        places,
        room: outline.room
      ) { writer throws(ServiceError) in
        let start = writer.count
        count = outline.write(to: &writer, of: self, maxBytes: maxRowBytes)
        try demand(bytes: writer.count - start)
      }
      return (page, count)
    }
    let above =
      rows.isEmpty ? [] : try self.ancestors(ofRow: offset, ancestors, session, places)
    let page = try page(
      of: session,
      from: offset,
      above,
      ancestors,
      changes,
      places,
      room: 256 * rows.count
    ) { writer throws(ServiceError) in
      count = try write(engineRows, of: session, fields, places, to: &writer)
    }
    return (page, count)
  }

  private func page<Failure: Error>(
    of session: OpenSession,
    from offset: Int,
    _ above: [(row: OutlinedRow, index: Int)],
    _ query: AncestorQuery,
    _ changes: RowPage.Changes,
    _ places: SectionRows,
    room: Int,
    _ rows: (inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) -> RowPage {
    try RowPage(
      of: session.id,
      at: session.revision,
      rowCount: rowCount(of: session),
      offset: offset,
      changes: changes,
      room: room + 64 * above.count,
      ancestors: { write(above, query, of: session, places, to: &$0) },
      rows: rows
    )
  }

  /// Writes rows of the engine with all members.
  ///
  /// Skips sections.
  ///
  /// - Returns: The number of rows that were written.
  /// - Throws: The errors of ``demand(_:)``.
  private func write(
    _ rows: Range<Int>,
    of session: OpenSession,
    _ fields: RowFields,
    _ places: SectionRows,
    to writer: inout JSONWriter
  ) throws(ServiceError) -> Int {
    var former = JSONWriter()
    swap(&former, &writer)
    var writing = RowWriting(fields, places, of: self, behind: former)
    for part in places.split(rows) {
      try meter.count(part.count)
      let rows = tree.rows(
        from: part.lowerBound,
        limit: part.count,
        in: session.view,
        isPlaced: fields.tellPlaces
      )
      writing.write(rows[...], of: self, maxBytes: maxRowBytes)
    }
    try demand(bytes: writing.byteCount)
    let count = writing.count
    writer = writing.end()
    return count
  }

  /// Returns the rows of a window, and the row that must be among them.
  private func window(
    _ query: RowQuery,
    _ session: OpenSession,
    _ places: SectionRows
  ) throws(ServiceError) -> (rows: Range<Int>, sought: Int?) {
    let count = rowCount(of: session)
    switch query.window {
    case .offset(let offset, let limit):
      guard offset <= count else {
        // Rows may have been removed since then. The changes contain their removal.
        if query.since != nil { return (count..<count, nil) }
        throw beyondEnd("offset", count, at: session.revision)
      }
      return (offset..<offset + min(limit, count - offset), nil)
    case .around(let key, let before, let after):
      let node = try find(key[...])
      guard let index = rowIndex(of: node, in: session, places) else {
        throw ServiceError(
          .nodeNotVisible,
          "The node is hidden; `reveal` it, or, where a filter leaves it out, take that off.",
          key: key
        )
      }
      let start = max(0, index - before)
      return (start..<index + 1 + min(after, count - index - 1), index)
    }
  }
}

extension RowFields {
  /// True if a member requires a search or a count: the position, or the number of visible
  /// descendants.
  fileprivate var tellPlaces: Bool { !isDisjoint(with: [.position, .visibleDescendantCount]) }
}
