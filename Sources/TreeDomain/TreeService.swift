/// The service: everything that a client can request of trees and sessions.
///
/// Requests without a session are in ``SharedTreeService``. This protocol is the only interface
/// between transports and trees.
///
/// Every function can throw these errors: `session-not-found` or `session-expired` for the named
/// session, `tree-not-found` for the named tree, and `overloaded`, `storage-full` or
/// `storage-failed`. Functions with a condition or an idempotency key can also throw
/// `revision-mismatch` or `idempotency-key-reused`. Other errors are listed at each function. After
/// an error nothing has changed.
package protocol TreeService: SharedTreeService {
  /// Returns the same service for one attempt at a request.
  ///
  /// If the attempt must not wait or take long, a call that would do so throws. The attempt then
  /// names the executor that continues (``Attempt/next``). Nothing has changed and nothing is
  /// stored then.
  func answering(_ attempt: Attempt) -> any TreeService

  /// Begins a group of calls whose changes may be stored in one commit, which is much cheaper.
  ///
  /// All changes until ``endGroup()``, by any thread, may wait for the end of the group. Several
  /// threads may have groups at the same time, as long as they do not block.
  func beginGroup()

  /// Ends a group.
  func endGroup()

  /// The present ability to accept and store changes.
  var readiness: Readiness { get }

  /// The statistics at this moment.
  ///
  /// Reading them waits for no tree.
  var statistics: ServiceStatistics { get }

  // MARK: Sessions

  /// Creates a session on a private or shared tree.
  ///
  /// - Parameters:
  ///   - session: The options, and the initial content of a private tree.
  ///   - idempotency: The key of the request, for retries.
  /// - Returns: The session's description at revision 0.
  /// - Throws: `duplicate-key`, `node-not-found` for an expanded key, `section-not-found`,
  ///   `depth-limit`, `content-too-large`, `tree-not-found`, or `overloaded` if there are too many
  ///   sessions.
  func createSession(
    _ session: NewSession,
    _ idempotency: IdempotencyKey?
  ) throws(ServiceError) -> Created<SessionDescription>

  /// Finds the session that a secret opens. Does not count as use of the session.
  ///
  /// - Parameters:
  ///   - secret: The secret.
  ///   - named: The session that the request is about; `nil` for none.
  /// - Returns: The session; `nil` if no live session has this secret.
  /// - Throws: Only the errors that every function throws; `overloaded` if the named session is
  ///   served elsewhere, so that its secret cannot be known here.
  func session(
    openedBy secret: SessionSecret,
    at named: SessionID?
  ) throws(ServiceError) -> SessionID?

  /// Returns the access that a session was made with, without counting as use of the session.
  ///
  /// - Parameter id: The session.
  /// - Returns: Its access; `nil` for a session that is not known or has expired.
  /// - Throws: Only the errors that every function throws.
  func access(of id: SessionID) throws(ServiceError) -> SessionAccess?

  /// Describes a session.
  ///
  /// - Parameters:
  ///   - id: The session.
  ///   - expectedRevision: The client's revision, for a check; `nil` for none.
  /// - Returns: The description at this moment.
  /// - Throws: `revision-changed`.
  func session(
    _ id: SessionID,
    expectedRevision: Revision?
  ) throws(ServiceError) -> SessionDescription

  /// Changes a session's options.
  ///
  /// - Parameters:
  ///   - id: The session.
  ///   - patch: The changes.
  ///   - options: The options of the answer.
  /// - Returns: The session after the change, and the net difference of its rows.
  /// - Throws: `invalid-request` for a sort order of a shared tree; `superseded`.
  func patchSession(
    _ id: SessionID,
    _ patch: SessionPatch,
    _ options: BatchOptions
  ) throws(ServiceError) -> PatchAnswer

  /// Reads the state of a session, from which another session can be made.
  ///
  /// - Parameters:
  ///   - id: The session.
  ///   - expectedRevision: The client's revision, for a check; `nil` for none.
  /// - Returns: The state at this moment.
  /// - Throws: `revision-changed`.
  func state(
    of id: SessionID,
    expectedRevision: Revision?
  ) throws(ServiceError) -> SessionState

  /// Deletes a session, and its tree if that is private.
  ///
  /// - Parameters:
  ///   - id: The session.
  ///   - condition: The condition on the session's revision; `nil` for none.
  ///   - idempotency: The key of the request, for retries.
  /// - Returns: The answer. A repeated request gets the same answer.
  /// - Throws: `revision-mismatch`, `idempotency-key-reused`.
  func deleteSession(
    _ id: SessionID,
    _ condition: RevisionCondition?,
    _ idempotency: IdempotencyKey?
  ) throws(ServiceError) -> Ending

  // MARK: Reading

  /// Reads a page of visible rows.
  ///
  /// - Parameters:
  ///   - id: The session.
  ///   - query: The rows to read. An offset equal to the number of rows gives an empty page.
  /// - Returns: The rows in the range.
  /// - Throws: `range-not-satisfiable` for an offset after the end, `node-not-found` or
  ///   `node-not-visible` for a key, and `revision-changed`.
  func rows(of id: SessionID, _ query: RowQuery) throws(ServiceError) -> RowPage

  /// Reads the row at an index.
  ///
  /// - Parameters:
  ///   - index: The index among the visible rows, from 0.
  ///   - id: The session.
  ///   - options: The members to return, and the expected revision.
  /// - Returns: The row.
  /// - Throws: `range-not-satisfiable` if there is no such row; `revision-changed`.
  func row(
    at index: Int,
    of id: SessionID,
    _ options: ReadOptions
  ) throws(ServiceError) -> NodeView

  /// Reads a node, visible or not.
  ///
  /// - Parameters:
  ///   - key: The node's key.
  ///   - id: The session.
  ///   - options: The members to return, and the expected revision.
  /// - Returns: The node; its index is `nil` while it is hidden.
  /// - Throws: `node-not-found`, `revision-changed`.
  func node(
    _ key: [UInt8],
    of id: SessionID,
    _ options: ReadOptions
  ) throws(ServiceError) -> NodeView

  /// Reads nodes by their keys, visible or not.
  ///
  /// - Parameters:
  ///   - query: The keys, and the members to return.
  ///   - id: The session.
  /// - Returns: The nodes in the order of the keys; the index of a hidden one is `nil`.
  /// - Throws: `revision-changed`, `content-too-large`.
  func nodes(_ query: NodesQuery, of id: SessionID) throws(ServiceError) -> NodeList

  /// Reads a range of a node's children, expanded or not, or of the roots.
  ///
  /// - Parameters:
  ///   - query: The parent and the positions, and the members to return.
  ///   - id: The session.
  /// - Returns: The children in the range.
  /// - Throws: `node-not-found`, `section-not-found`, `revision-changed`, or
  ///   `range-not-satisfiable` if the range starts after the end.
  func children(_ query: ChildrenQuery, of id: SessionID) throws(ServiceError) -> ChildRange

  /// Reads the ancestors of a node, from the root to its parent.
  ///
  /// - Parameters:
  ///   - key: The node's key.
  ///   - id: The session.
  ///   - fields: The members of the ancestors; `nil` for key, index and depth.
  ///   - expectedRevision: The client's revision, for a check; `nil` for none.
  /// - Returns: The ancestors; the nearest ones if there are too many. Empty for a root.
  /// - Throws: `node-not-found`, `revision-changed`.
  func ancestors(
    of key: [UInt8],
    of id: SessionID,
    fields: RowFields?,
    expectedRevision: Revision?
  ) throws(ServiceError) -> Ancestors

  /// Reads the sections of a session's tree.
  ///
  /// - Parameters:
  ///   - id: The session.
  ///   - expectedRevision: The client's revision, for a check; `nil` for none.
  /// - Returns: The sections. Empty for a tree without sections.
  /// - Throws: `revision-changed`.
  func sections(
    of id: SessionID,
    expectedRevision: Revision?
  ) throws(ServiceError) -> SectionList

  /// Searches nodes, visible or not.
  ///
  /// - Parameters:
  ///   - id: The session.
  ///   - query: The text to find, and the node after which to start.
  /// - Returns: The first matches, in pre-order with the session's order of siblings, and the key
  ///   after which to continue.
  /// - Throws: `node-not-found` for the node after which to start.
  func search(in id: SessionID, _ query: SearchQuery) throws(ServiceError) -> SearchResult

  // MARK: Changing and following

  /// Applies a batch, all or none.
  ///
  /// - Parameters:
  ///   - batch: The operations. Each sees the effects of earlier ones.
  ///   - id: The session.
  ///   - options: The options of the batch and its answer.
  /// - Returns: The net difference of the rows.
  /// - Throws: With the index of the failed operation: `node-not-found`, `section-not-found`,
  ///   `duplicate-key`, `parent-not-found`, `cycle`, `anchor-not-a-sibling`, `index-out-of-range`,
  ///   `depth-limit`, `selection-mode`, `hidden-by-filter` and `content-too-large`. For a put with
  ///   children of an existing node, it is `invalid-request`.
  func apply(
    _ batch: Batch,
    to id: SessionID,
    _ options: BatchOptions
  ) throws(ServiceError) -> BatchAnswer

  /// Returns the changes since a revision as one net list.
  ///
  /// - Parameters:
  ///   - id: The session.
  ///   - query: The revision, and the format of the list.
  /// - Returns: The net difference of the rows. Empty if nothing changed.
  /// - Throws: `history-expired`, also for a revision above the current one.
  func changes(of id: SessionID, _ query: ChangesQuery) throws(ServiceError) -> BatchAnswer

  /// Follows a session from a revision on.
  ///
  /// - Parameters:
  ///   - id: The session.
  ///   - since: The client's revision, after which all changes come as one event; `nil` for the
  ///     present. If that revision is unknown, a reset comes first.
  ///   - composes: True for one net list of all changes since the last event, made when the next
  ///     one is read. False for an event per revision.
  ///   - options: The format of the changes.
  ///   - notify: Called if there may be an event after ``Following/next()`` returned none. It is
  ///     called on any thread and under a lock, so it must return at once and must not call
  ///     `next()`.
  /// - Returns: The source of events, which the caller must cancel. If the attempt must not wait,
  ///   errors of the session or its tree come later, as an event.
  /// - Throws: `overloaded` if there are too many followers.
  func follow(
    _ id: SessionID,
    since: Revision?,
    composes: Bool,
    _ options: BatchOptions,
    notify: @escaping @Sendable () -> Void
  ) throws(ServiceError) -> any Following
}

extension TreeService {
  /// Follows a session, with an event for each revision.
  package func follow(
    _ id: SessionID,
    since: Revision?,
    _ options: BatchOptions,
    notify: @escaping @Sendable () -> Void
  ) throws(ServiceError) -> any Following {
    try follow(id, since: since, composes: false, options, notify: notify)
  }
}
