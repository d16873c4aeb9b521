public import TreeDomain

// Reading a session; see ``TreeService``.
extension SessionStore {
  /// Returns a page of visible rows.
  public func rows(of id: SessionID, _ query: RowQuery) throws(ServiceError) -> RowPage {
    try read(id) { manager, session throws(ServiceError) in
      try manager.rows(query, of: session)
    }
  }

  /// Returns the row at an index.
  public func row(
    at index: Int,
    of id: SessionID,
    _ options: ReadOptions
  ) throws(ServiceError) -> NodeView {
    try read(id) { manager, session throws(ServiceError) in
      try manager.row(at: index, of: session, options)
    }
  }

  /// Returns a node, visible or not.
  public func node(
    _ key: [UInt8],
    of id: SessionID,
    _ options: ReadOptions
  ) throws(ServiceError) -> NodeView {
    try read(id) { manager, session throws(ServiceError) in
      try manager.node(key, of: session, options)
    }
  }

  /// Returns nodes by their keys, visible or not.
  public func nodes(_ query: NodesQuery, of id: SessionID) throws(ServiceError) -> NodeList {
    try read(id) { manager, session throws(ServiceError) in
      try manager.nodes(query, of: session)
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
      try manager.children(of: key, section: section, range, session, options)
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
      try manager.ancestors(of: key, session, fields, expectedRevision)
    }
  }

  /// Returns the sections.
  public func sections(
    of id: SessionID,
    expectedRevision: Revision?
  ) throws(ServiceError) -> SectionList {
    try read(id) { manager, session throws(ServiceError) in
      try manager.sectionList(of: session, expectedRevision)
    }
  }

  /// Returns the state of the session, which another session can restore.
  public func state(
    of id: SessionID,
    expectedRevision: Revision?
  ) throws(ServiceError) -> SessionState {
    try read(id) { manager, session throws(ServiceError) in
      try session.check(expectedRevision)
      return try manager.state(of: session)
    }
  }

  /// Returns nodes that match a search.
  public func search(
    in id: SessionID,
    _ query: SearchQuery
  ) throws(ServiceError) -> SearchResult {
    try read(id) { manager, session throws(ServiceError) in
      try manager.search(query, in: session)
    }
  }
}
