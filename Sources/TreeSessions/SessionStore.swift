import Synchronization
public import TreeDomain

/// The service in memory: sessions by their ids, each with a tree of its own.
///
/// There are two kinds of lock. The one here guards the table of sessions and is held for a look-up
/// or a change of the table, never while a tree is worked on. Each ``Session`` has one for its
/// tree. A thread takes the table's lock first, lets it go, and then takes the tree's: no two are
/// ever held together, so there is no order to get wrong, and a request on one tree never waits for
/// a request on another.
public final class SessionStore: TreeService {
  private struct Table {
    var sessions: [SessionID: Session] = [:]
    /// Sessions that are being made; they count against the limit.
    var reserved = 0
  }

  private let limits: SessionLimits
  private let usage = ByteUsage()
  private let table = Mutex(Table())

  /// A store without sessions.
  public init(limits: SessionLimits = SessionLimits()) { self.limits = limits }

  // MARK: Sessions

  /// Makes a session with a tree of its own; see ``TreeService/createSession(_:_:)``.
  public func createSession(
    _ session: NewSession,
    _ idempotency: IdempotencyKey?
  ) throws(ServiceError) -> Created<SessionDescription> {
    try reserve()
    do throws(ServiceError) {
      let made = try Session(session, limits: limits, usage: usage)
      table.withLock { table in
        table.reserved -= 1
        table.sessions[made.id] = made
      }
      return Created(made.withTree { $0.description() })
    } catch {
      table.withLock { $0.reserved -= 1 }
      throw error
    }
  }

  private func reserve() throws(ServiceError) {
    let limit = limits.maxSessions
    let hasRoom = table.withLock { table in
      guard table.sessions.count + table.reserved < limit else { return false }
      table.reserved += 1
      return true
    }
    guard hasRoom else {
      var error = ServiceError(
        .overloaded,
        "There are as many sessions as there may be; delete one, or try again later."
      )
      error.limit = limit
      throw error
    }
  }

  /// Describes a session.
  public func session(
    _ id: SessionID,
    expectedRevision: Revision?
  ) throws(ServiceError) -> SessionDescription {
    try find(id).withTree { tree throws(ServiceError) in
      try tree.check(expectedRevision)
      return tree.description()
    }
  }

  /// Ends a session and its private tree.
  public func deleteSession(_ id: SessionID) throws(ServiceError) {
    guard let ended = table.withLock({ $0.sessions.removeValue(forKey: id) }) else {
      throw .sessionNotFound
    }
    ended.withTree { $0.end() }
  }

  private func find(_ id: SessionID) throws(ServiceError) -> Session {
    guard let session = table.withLock({ $0.sessions[id] }) else { throw .sessionNotFound }
    return session
  }

  // MARK: Reading

  /// Reads a page of visible rows.
  public func rows(of id: SessionID, _ query: RowQuery) throws(ServiceError) -> RowPage {
    try find(id).withTree { tree throws(ServiceError) in try tree.rows(query) }
  }

  /// Reads the row at an index.
  public func row(
    at index: Int,
    of id: SessionID,
    _ options: ReadOptions
  ) throws(ServiceError) -> NodeView {
    try find(id).withTree { tree throws(ServiceError) in try tree.row(at: index, options) }
  }

  /// Reads a node, visible or not.
  public func node(
    _ key: [UInt8],
    of id: SessionID,
    _ options: ReadOptions
  ) throws(ServiceError) -> NodeView {
    try find(id).withTree { tree throws(ServiceError) in try tree.node(key, options) }
  }

  /// Reads a run of a node's children, or of the roots.
  public func children(
    of key: [UInt8]?,
    section: [UInt8]?,
    _ range: Range<Int>,
    of id: SessionID,
    _ options: ReadOptions
  ) throws(ServiceError) -> ChildRange {
    try find(id).withTree { tree throws(ServiceError) in
      try tree.children(of: key, range, options)
    }
  }

  /// Reads the way from the root down to a node's parent.
  public func ancestors(
    of key: [UInt8],
    of id: SessionID,
    expectedRevision: Revision?
  ) throws(ServiceError) -> Ancestors {
    try find(id).withTree { tree throws(ServiceError) in
      try tree.ancestors(of: key, expectedRevision)
    }
  }

  // MARK: Writing

  /// Applies a batch, all of it or nothing.
  public func apply(
    _ batch: Batch,
    to id: SessionID,
    _ options: BatchOptions
  ) throws(ServiceError) -> BatchAnswer {
    try find(id).withTree { tree throws(ServiceError) in try tree.apply(batch, options) }
  }
}
