public import TreeDomain

// What a session reads.
extension SessionStore {
  /// Reads a page of visible rows.
  public func rows(of id: SessionID, _ query: RowQuery) throws(ServiceError) -> RowPage {
    try read(id) { manager, session throws(ServiceError) in
      try manager.rows(query, of: session)
    }
  }

  /// Reads the row at an index.
  public func row(
    at index: Int,
    of id: SessionID,
    _ options: ReadOptions
  ) throws(ServiceError) -> NodeView {
    try read(id) { manager, session throws(ServiceError) in
      try manager.row(at: index, of: session, options)
    }
  }

  /// Reads a node, visible or not.
  public func node(
    _ key: [UInt8],
    of id: SessionID,
    _ options: ReadOptions
  ) throws(ServiceError) -> NodeView {
    try read(id) { manager, session throws(ServiceError) in
      try manager.node(key, of: session, options)
    }
  }

  /// Reads nodes by their keys, visible or not.
  public func nodes(_ query: NodesQuery, of id: SessionID) throws(ServiceError) -> NodeList {
    try read(id) { manager, session throws(ServiceError) in
      try manager.nodes(query, of: session)
    }
  }

  /// Reads a run of a node's children, or of the roots.
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

  /// Reads the way from the root down to a node's parent.
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

  /// Reads the sections.
  public func sections(
    of id: SessionID,
    expectedRevision: Revision?
  ) throws(ServiceError) -> SectionList {
    try read(id) { manager, session throws(ServiceError) in
      try manager.sectionList(of: session, expectedRevision)
    }
  }

  /// Reads what the session shows, as a value.
  public func state(
    of id: SessionID,
    expectedRevision: Revision?
  ) throws(ServiceError) -> SessionState {
    try read(id) { manager, session throws(ServiceError) in
      try session.check(expectedRevision)
      return try manager.state(of: session)
    }
  }

  /// Finds nodes.
  public func search(
    in id: SessionID,
    _ query: SearchQuery
  ) throws(ServiceError) -> SearchResult {
    try read(id) { manager, session throws(ServiceError) in
      try manager.search(query, in: session)
    }
  }
}
