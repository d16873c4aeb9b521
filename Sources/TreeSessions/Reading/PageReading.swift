import JSON
import TreeDomain
import TreeEngine

/// A reading of a page of visible rows.
struct PageReading {
  private let query: RowQuery
  private let session: OpenSession
  private let fields: RowFields
  /// The sections among the session's rows.
  private let places: SectionRows
  private let ancestors: AncestorReading

  /// Begins a reading.
  ///
  /// - Throws: `revision-changed`.
  init(
    _ query: RowQuery,
    of session: OpenSession,
    in content: borrowing TreeContent
  ) throws(ServiceError) {
    try session.check(query.expectedRevision)
    self.query = query
    self.session = session
    fields = query.fields.shown(in: content, session)
    places = content.sectionRows(of: session)
    ancestors = AncestorReading(session, places)
  }

  /// Returns a page of visible rows.
  ///
  /// The page has fewer rows than requested if these exceed the size of an answer.
  ///
  /// - Throws: `range-not-satisfiable`, `node-not-found`, `node-not-visible`, and the errors of
  ///   ``TreeContent/demand(_:)``.
  func page(in content: borrowing TreeContent) throws(ServiceError) -> RowPage {
    let window = try window(content)
    if query.heldRevisions?.contains(session.revision) == true {
      return RowPage(heldAt: session.revision)
    }
    let rows = window.rows
    let changes = try changes(content)
    let (page, count) = try page(rows, changes, content)
    guard let sought = window.sought, sought >= rows.lowerBound + count else { return page }
    // The requested row takes precedence over the rows before it.
    return try self.page(sought..<rows.upperBound, changes, content).page
  }

  /// Returns the changes that a page includes.
  private func changes(
    _ content: borrowing TreeContent
  ) throws(ServiceError) -> RowPage.Changes {
    guard let since = query.since else { return .unasked }
    do throws(ServiceError) {
      let options = BatchOptions(format: query.changeFormat)
      let reading = ChangeReading(of: session, options, content.meter)
      return .list(try reading.changes(since: since, in: content))
    } catch {
      guard error.code == .historyExpired else { throw error }
      return .forgotten
    }
  }

  /// Returns a page of some rows, and the number of rows in it.
  private func page(
    _ rows: Range<Int>,
    _ changes: RowPage.Changes,
    _ content: borrowing TreeContent
  ) throws(ServiceError) -> (page: RowPage, count: Int) {
    let offset = rows.lowerBound
    let engineRows = content.engineRows(from: offset, count: rows.count, places)
    var count = 0
    if fields.isDisjoint(with: .standing) {
      let outline = OutlineWriting(engineRows, of: session, fields, places, in: content)
      // Meanwhile the processor loads the strings of the rows.
      let above =
        rows.isEmpty ? [] : try ancestors.ancestors(ofRow: offset, query.ancestors, in: content)
      let page = try page(
        from: offset,
        above,
        changes,
        content,
        room: outline.room
      ) { writer throws(ServiceError) in
        let start = writer.count
        count = outline.write(to: &writer, of: content, maxBytes: content.maxRowBytes)
        try content.demand(bytes: writer.count - start)
      }
      return (page, count)
    }
    let above =
      rows.isEmpty ? [] : try ancestors.ancestors(ofRow: offset, query.ancestors, in: content)
    let page = try page(
      from: offset,
      above,
      changes,
      content,
      room: 256 * rows.count
    ) { writer throws(ServiceError) in
      count = try write(engineRows, to: &writer, content)
    }
    return (page, count)
  }

  private func page<Failure: Error>(
    from offset: Int,
    _ above: [(row: OutlinedRow, index: Int)],
    _ changes: RowPage.Changes,
    _ content: borrowing TreeContent,
    room: Int,
    _ rows: (inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) -> RowPage {
    try RowPage(
      of: session.id,
      at: session.revision,
      rowCount: content.rowCount(of: session),
      offset: offset,
      changes: changes,
      room: room + 64 * above.count,
      ancestors: { ancestors.write(above, query.ancestors, to: &$0, in: content) },
      rows: rows
    )
  }

  /// Writes rows of the engine with all members.
  ///
  /// Skips sections.
  ///
  /// - Returns: The number of rows that were written.
  /// - Throws: The errors of ``TreeContent/demand(_:)``.
  private func write(
    _ rows: Range<Int>,
    to writer: inout JSONWriter,
    _ content: borrowing TreeContent
  ) throws(ServiceError) -> Int {
    var former = JSONWriter()
    swap(&former, &writer)
    var writing = RowWriting(fields, places, of: content, behind: former)
    for part in places.split(rows) {
      try content.meter.count(part.count)
      let rows = content.tree.rows(
        from: part.lowerBound,
        limit: part.count,
        in: session.view,
        isPlaced: fields.tellPlaces
      )
      writing.write(rows[...], of: content, maxBytes: content.maxRowBytes)
    }
    try content.demand(bytes: writing.byteCount)
    let count = writing.count
    writer = writing.end()
    return count
  }

  /// Returns the rows of a window, and the row that must be among them.
  private func window(
    _ content: borrowing TreeContent
  ) throws(ServiceError) -> (rows: Range<Int>, sought: Int?) {
    let count = content.rowCount(of: session)
    switch query.window {
    case .offset(let offset, let limit):
      guard offset <= count else {
        // Rows may have been removed since then. The changes contain their removal.
        if query.since != nil { return (count..<count, nil) }
        throw content.beyondEnd("offset", count, at: session.revision)
      }
      return (offset..<offset + min(limit, count - offset), nil)
    case .around(let key, let before, let after):
      let node = try content.find(key[...])
      guard let index = content.rowIndex(of: node, in: session, places) else {
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
