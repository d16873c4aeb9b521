/// Trees, and sessions that look at them: everything a client can ask for.
///
/// What needs no session is in ``SharedTreeService``.
///
/// The one border between those who carry requests and those who hold trees. Every function fails
/// with `session-not-found` or `session-expired` when the session it names does not live, with
/// `tree-not-found` when the tree does not, and with `overloaded`, `storage-full` or
/// `storage-failed` when the service cannot take it; the others are named at each. Where it takes a
/// condition or an idempotency key it can fail with `revision-mismatch` or
/// `idempotency-key-reused`. After any error nothing has changed.
public protocol TreeService: SharedTreeService {
  /// Returns the same service for one attempt at the work of a request.
  ///
  /// A call that would have to wait, or take long, where the attempt must not, fails, and the
  /// attempt says where the work goes on (``Attempt/next``). Nothing has changed then, and nothing
  /// is kept.
  func answering(_ attempt: Attempt) -> any TreeService

  /// Several calls follow, one after another, whose changes may be kept together, which takes
  /// little more than to keep one.
  ///
  /// What changes until ``endGroup()``, whoever asks for it, may have to wait for that. Several
  /// threads may do so at the same time, each for as long as it does not wait.
  func beginGroup()

  /// The calls are made.
  func endGroup()

  /// Whether changes can be kept, and are taken, at this moment.
  var readiness: Readiness { get }

  /// How much there is, and what is done with it, at this moment.
  ///
  /// It waits for no tree.
  var statistics: ServiceStatistics { get }

  // MARK: Sessions

  /// Makes a session, over a tree of its own or a shared one.
  ///
  /// - Parameters:
  ///   - session: Its options, and what its own tree holds at first.
  ///   - idempotency: What makes a repeated request the same one.
  /// - Returns: The session's description, at revision 0.
  /// - Throws: `duplicate-key`, `node-not-found` for an expanded key, `section-not-found`,
  ///   `depth-limit`, `content-too-large`, `tree-not-found`, `overloaded` when there are as many
  ///   sessions as there may be.
  func createSession(
    _ session: NewSession,
    _ idempotency: IdempotencyKey?
  ) throws(ServiceError) -> Created<SessionDescription>

  /// Finds out which session a secret opens, which is no use of the session.
  ///
  /// - Parameter secret: The secret.
  /// - Returns: The session; `nil` where the secret is nobody's, or its session has ended.
  /// - Throws: Only what every function does.
  func session(openedBy secret: SessionSecret) throws(ServiceError) -> SessionID?

  /// Returns the access that a session was made with, without counting as use of the session.
  ///
  /// - Parameter id: The session.
  /// - Returns: Its access; `nil` for a session that is not known or has expired.
  /// - Throws: Only what every function does.
  func access(of id: SessionID) throws(ServiceError) -> SessionAccess?

  /// Describes a session.
  ///
  /// - Parameters:
  ///   - id: The session.
  ///   - expectedRevision: The revision the client goes by, or `nil` for any.
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
  ///   - patch: What is to be changed.
  ///   - options: How to take and answer it.
  /// - Returns: The session after, and the net difference of its rows.
  /// - Throws: `invalid-request` for a sort of a shared tree, `superseded`.
  func patchSession(
    _ id: SessionID,
    _ patch: SessionPatch,
    _ options: BatchOptions
  ) throws(ServiceError) -> PatchAnswer

  /// Reads what a session shows as a value, of which another can be made.
  ///
  /// - Parameters:
  ///   - id: The session.
  ///   - expectedRevision: The revision the client goes by, or `nil` for any.
  /// - Returns: The state at this moment.
  /// - Throws: `revision-changed`.
  func state(
    of id: SessionID,
    expectedRevision: Revision?
  ) throws(ServiceError) -> SessionState

  /// Ends a session, and its tree if that is its own.
  ///
  /// - Parameters:
  ///   - id: The session.
  ///   - condition: At which revisions of the session; nil: at any.
  ///   - idempotency: What a repeated request is known by.
  /// - Returns: The answer, again for a request that came before.
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
  ///   - query: Which rows; an offset equal to the number of rows gives an empty page.
  /// - Returns: The rows, as far as there are any.
  /// - Throws: `range-not-satisfiable` beyond the end; around a key `node-not-found` and
  ///   `node-not-visible`; `revision-changed`.
  func rows(of id: SessionID, _ query: RowQuery) throws(ServiceError) -> RowPage

  /// Reads the row at an index.
  ///
  /// - Parameters:
  ///   - index: The position among the visible rows, 0 or more.
  ///   - id: The session.
  ///   - options: What is wanted of it.
  /// - Returns: The row.
  /// - Throws: `range-not-satisfiable` at the number of rows and beyond; `revision-changed`.
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
  ///   - options: What is wanted of it.
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
  ///   - query: The keys, and what is wanted of the nodes.
  ///   - id: The session.
  /// - Returns: The nodes in the order of the keys; the index of a hidden one is `nil`.
  /// - Throws: `revision-changed`, `content-too-large`.
  func nodes(_ query: NodesQuery, of id: SessionID) throws(ServiceError) -> NodeList

  /// Reads a run of a node's children, whether it is expanded or not, or of the roots.
  ///
  /// - Parameters:
  ///   - key: The parent's key; `nil` for the roots.
  ///   - section: The section whose roots are wanted; `nil` for all of them, and below a node.
  ///   - range: The positions wanted, from 0 or more on; cut off where the children end.
  ///   - id: The session.
  ///   - options: What is wanted of them.
  /// - Returns: The children, as far as there are any.
  /// - Throws: `node-not-found`, `section-not-found`, `range-not-satisfiable` when it begins beyond
  ///   the end, `revision-changed`.
  func children(
    of key: [UInt8]?,
    section: [UInt8]?,
    _ range: Range<Int>,
    of id: SessionID,
    _ options: ReadOptions
  ) throws(ServiceError) -> ChildRange

  /// Reads the way from the root down to a node's parent.
  ///
  /// - Parameters:
  ///   - key: The node's key.
  ///   - id: The session.
  ///   - fields: The members of their rows; `nil` for key, index and depth.
  ///   - expectedRevision: The revision the client goes by, or `nil` for any.
  /// - Returns: The ancestors, none at a root.
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
  ///   - expectedRevision: The revision the client goes by, or `nil` for any.
  /// - Returns: The sections, none for a tree without.
  /// - Throws: `revision-changed`.
  func sections(
    of id: SessionID,
    expectedRevision: Revision?
  ) throws(ServiceError) -> SectionList

  /// Looks for nodes, visible or not.
  ///
  /// - Parameters:
  ///   - id: The session.
  ///   - query: What to look for, and from where on.
  /// - Returns: The nodes found, in tree order.
  /// - Throws: `node-not-found` for the node to go on behind.
  func search(in id: SessionID, _ query: SearchQuery) throws(ServiceError) -> SearchResult

  // MARK: Changing and following

  /// Applies a batch, all of it or nothing.
  ///
  /// - Parameters:
  ///   - batch: The operations; each sees what the earlier ones did.
  ///   - id: The session.
  ///   - options: How to take and answer it.
  /// - Returns: The net difference of the rows.
  /// - Throws: With the index of the operation that failed: `node-not-found`, `section-not-found`,
  ///   `duplicate-key`, `parent-not-found`, `cycle`, `anchor-not-a-sibling`, `index-out-of-range`,
  ///   `depth-limit`, `selection-mode`, `hidden-by-filter`, `content-too-large`, and
  ///   `invalid-request` for a put that gives children to a node that is there.
  func apply(
    _ batch: Batch,
    to id: SessionID,
    _ options: BatchOptions
  ) throws(ServiceError) -> BatchAnswer

  /// Tells what changed since a revision, as one net list.
  ///
  /// - Parameters:
  ///   - id: The session.
  ///   - query: Since when, and how to tell it.
  /// - Returns: The net difference of the rows; an empty one when nothing changed.
  /// - Throws: `history-expired`, also for a revision above the current one.
  func changes(of id: SessionID, _ query: ChangesQuery) throws(ServiceError) -> BatchAnswer

  /// Follows a session from a revision on.
  ///
  /// - Parameters:
  ///   - id: The session.
  ///   - since: The revision the client has; what it missed comes as one event. `nil` for now.
  ///     Where that revision is not known, or was never given out, a reset comes first.
  ///   - composes: True to get everything since the last event as one net list, whenever the next
  ///     one is asked for; false for an event for each revision.
  ///   - options: How to tell what changed.
  ///   - notify: Called, from any thread and under a lock, when there may be something new after
  ///     ``Following/next()`` had nothing; it must return at once and not ask for it itself.
  /// - Returns: What is asked for events, and cancelled in the end. An attempt that must not wait
  ///   does not wait for the session or its tree: what is known of them only later is an event.
  /// - Throws: `overloaded` when there are as many followers as there may be.
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
  public func follow(
    _ id: SessionID,
    since: Revision?,
    _ options: BatchOptions,
    notify: @escaping @Sendable () -> Void
  ) throws(ServiceError) -> any Following {
    try follow(id, since: since, composes: false, options, notify: notify)
  }
}
