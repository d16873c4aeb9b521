import TreeDomain
import TreeEngine

// Reading single rows, nodes and sections.
extension TreeManager {
  /// Returns the error for an offset or index beyond the end.
  func beyondEnd(_ what: String, _ count: Int, at now: Revision) -> ServiceError {
    var error = ServiceError(
      .rangeNotSatisfiable,
      "The \(what) is beyond the last one; there are \(count), counted from 0."
    )
    error.limit = count
    error.revision = now
    return error
  }

  /// Returns the row at an index.
  ///
  /// - Throws: `revision-changed`, `range-not-satisfiable`.
  func row(
    at index: Int,
    of session: OpenSession,
    _ options: ReadOptions
  ) throws(ServiceError) -> NodeView {
    try session.check(options.expectedRevision)
    let count = rowCount(of: session)
    guard index < count else {
      throw beyondEnd("index", count, at: session.revision)
    }
    let engineRow = sectionRows(of: session).engineRow(of: index)
    return nodeView(tree.node(atRow: engineRow, in: session.view), session, options)
  }

  /// Returns a node, visible or not.
  ///
  /// - Throws: `revision-changed`, `node-not-found`.
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

  /// Returns the sections, with their rows.
  ///
  /// - Throws: `revision-changed`, and the errors of the meter.
  func sectionList(
    of session: OpenSession,
    _ expected: Revision?
  ) throws(ServiceError) -> SectionList {
    try session.check(expected)
    try meter.count(4 * sections.all.count)
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
  /// Returns those members that exist in the rows of a session.
  func shown(in manager: borrowing TreeManager, _ session: OpenSession) -> RowFields {
    var fields = self
    if !manager.sections.isShown { fields.subtract([.section, .sectionRow]) }
    if session.options.filter == nil { fields.remove(.matched) }
    return fields
  }
}
