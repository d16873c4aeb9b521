import Synchronization
package import TreeDomain

// Reading a session; see ``TreeService``.
extension SessionStore {
  /// Returns a page of visible rows.
  package func rows(of id: SessionID, _ query: RowQuery) throws(ServiceError) -> RowPage {
    try read(id) { manager, session throws(ServiceError) in
      try PageReading(query, of: session, in: manager.content).page(in: manager.content)
    }
  }

  /// Returns the row at an index.
  package func row(
    at index: Int,
    of id: SessionID,
    _ options: ReadOptions
  ) throws(ServiceError) -> NodeView {
    try read(id) { manager, session throws(ServiceError) in
      try SessionReading(session: session).row(at: index, options, in: manager.content)
    }
  }

  /// Returns a node, visible or not.
  package func node(
    _ key: [UInt8],
    of id: SessionID,
    _ options: ReadOptions
  ) throws(ServiceError) -> NodeView {
    try read(id) { manager, session throws(ServiceError) in
      try SessionReading(session: session).node(key, options, in: manager.content)
    }
  }

  /// Returns nodes by their keys, visible or not.
  package func nodes(_ query: NodesQuery, of id: SessionID) throws(ServiceError) -> NodeList {
    try read(id) { manager, session throws(ServiceError) in
      try SessionReading(session: session).nodes(query, in: manager.content)
    }
  }

  /// Returns a range of a node's children, or of the roots.
  package func children(
    _ query: ChildrenQuery,
    of id: SessionID
  ) throws(ServiceError) -> ChildRange {
    try read(id) { manager, session throws(ServiceError) in
      try SessionReading(session: session).children(query, in: manager.content)
    }
  }

  /// Returns the ancestors of a node, from the root down.
  package func ancestors(
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
  package func sections(
    of id: SessionID,
    expectedRevision: Revision?
  ) throws(ServiceError) -> SectionList {
    try read(id) { manager, session throws(ServiceError) in
      try SessionReading(session: session).sectionList(expectedRevision, in: manager.content)
    }
  }

  /// Returns the state of the session, which another session can restore.
  package func state(
    of id: SessionID,
    expectedRevision: Revision?
  ) throws(ServiceError) -> SessionState {
    try read(id) { manager, session throws(ServiceError) in
      try session.check(expectedRevision)
      return try SessionReading(session: session).state(in: manager.content)
    }
  }

  /// Returns nodes that match a search.
  package func search(
    in id: SessionID,
    _ query: SearchQuery
  ) throws(ServiceError) -> SearchResult {
    try read(id) { manager, session throws(ServiceError) in
      try SessionReading(session: session).search(query, in: manager.content)
    }
  }
}

// The secrets and the access of sessions.
extension SessionStore {
  /// Returns the session that a secret opens; see ``TreeService/session(openedBy:at:)``.
  package func session(
    openedBy secret: SessionSecret,
    at named: SessionID? = nil
  ) throws(ServiceError) -> SessionID? {
    if let known = knownSession(openedBy: secret) { return known }
    guard let storage = core.archive?.storage else { return nil }
    return try storedSession(openedBy: secret) { digest throws(StorageError) in
      try storage.session(openedBy: digest)
    }
  }

  /// Returns the stored session that a secret opens.
  ///
  /// - Parameters:
  ///   - secret: The secret.
  ///   - find: Returns a session by the digest of its secret, and may wait for storage.
  /// - Returns: The session; nil if there is none, or if it has expired.
  /// - Throws: The error of storage, or a refusal if the call must not wait for it.
  package func storedSession(
    openedBy secret: SessionSecret,
    _ find: (SecretDigest) throws(StorageError) -> StoredSession?
  ) throws(ServiceError) -> SessionID? {
    try mayAskStorage()
    let digest = SecretDigest(of: secret)
    let stored = try Archive.reading { () throws(StorageError) in try find(digest) }
    guard let stored, !stored.isOver(at: core.clock()) else { return nil }
    return stored.id
  }

  /// Returns the session in memory that a secret opens.
  ///
  /// - Returns: The session; `.some(nil)` if no living session has the secret; `nil` if storage
  ///   must be asked.
  package func knownSession(openedBy secret: SessionSecret) -> SessionID?? {
    let now = core.clock()
    let digest = SecretDigest(of: secret)
    let known = core.table.withLock { table in
      table.session(selectedBy: digest).map { ($0, table.sessions[$0]) }
    }
    guard let (id, entry) = known else { return nil }
    guard let entry, entry.digest == digest, !entry.isExpired(at: now) else { return .some(nil) }
    return id
  }

  /// Returns the access of a session; see ``TreeService/access(of:)``.
  package func access(of id: SessionID) throws(ServiceError) -> SessionAccess? {
    let now = core.clock()
    if let entry = core.table.withLock({ $0.sessions[id] }) {
      return entry.isExpired(at: now) ? nil : entry.access
    }
    guard let storage = core.archive?.storage else { return nil }
    try mayAskStorage()
    let stored = try Archive.reading { () throws(StorageError) in try storage.session(id) }
    guard let stored, !stored.isExpired, !stored.isOver(at: now) else { return nil }
    return stored.access
  }
}
