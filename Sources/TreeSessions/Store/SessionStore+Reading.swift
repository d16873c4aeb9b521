public import TreeDomain

// Reading a session; see ``TreeService``.
extension SessionStore {
  /// Returns a page of visible rows.
  public func rows(of id: SessionID, _ query: RowQuery) throws(ServiceError) -> RowPage {
    try read(id) { manager, session throws(ServiceError) in
      try PageReading(query, of: session, in: manager.content).page(in: manager.content)
    }
  }

  /// Returns the row at an index.
  public func row(
    at index: Int,
    of id: SessionID,
    _ options: ReadOptions
  ) throws(ServiceError) -> NodeView {
    try read(id) { manager, session throws(ServiceError) in
      try SessionReading(session: session).row(at: index, options, in: manager.content)
    }
  }

  /// Returns a node, visible or not.
  public func node(
    _ key: [UInt8],
    of id: SessionID,
    _ options: ReadOptions
  ) throws(ServiceError) -> NodeView {
    try read(id) { manager, session throws(ServiceError) in
      try SessionReading(session: session).node(key, options, in: manager.content)
    }
  }

  /// Returns nodes by their keys, visible or not.
  public func nodes(_ query: NodesQuery, of id: SessionID) throws(ServiceError) -> NodeList {
    try read(id) { manager, session throws(ServiceError) in
      try SessionReading(session: session).nodes(query, in: manager.content)
    }
  }

  /// Returns a range of a node's children, or of the roots.
  public func children(
    of key: [UInt8]?,
    section: [UInt8]?,
    _ range: Range<Int>,
    of id: SessionID,
    _ options: ReadOptions
  ) throws(ServiceError) -> ChildRange {
    try read(id) { manager, session throws(ServiceError) in
      let reading = SessionReading(session: session)
      return try reading.children(of: key, section: section, range, options, in: manager.content)
    }
  }

  /// Returns the ancestors of a node, from the root down.
  public func ancestors(
    of key: [UInt8],
    of id: SessionID,
    fields: RowFields?,
    expectedRevision: Revision?
  ) throws(ServiceError) -> Ancestors {
    try read(id) { manager, session throws(ServiceError) in
      try session.check(expectedRevision)
      let reading = AncestorReading(session, manager.content.sectionRows(of: session))
      return try reading.ancestors(of: key, fields, in: manager.content)
    }
  }

  /// Returns the sections.
  public func sections(
    of id: SessionID,
    expectedRevision: Revision?
  ) throws(ServiceError) -> SectionList {
    try read(id) { manager, session throws(ServiceError) in
      try SessionReading(session: session).sectionList(expectedRevision, in: manager.content)
    }
  }

  /// Returns the state of the session, which another session can restore.
  public func state(
    of id: SessionID,
    expectedRevision: Revision?
  ) throws(ServiceError) -> SessionState {
    try read(id) { manager, session throws(ServiceError) in
      try session.check(expectedRevision)
      return try SessionReading(session: session).state(in: manager.content)
    }
  }

  /// Returns nodes that match a search.
  public func search(
    in id: SessionID,
    _ query: SearchQuery
  ) throws(ServiceError) -> SearchResult {
    try read(id) { manager, session throws(ServiceError) in
      try SessionReading(session: session).search(query, in: manager.content)
    }
  }
}
