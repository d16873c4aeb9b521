/// Trees, and sessions that look at them: everything a client can ask for.
///
/// The one border between those who carry requests and those who hold trees. Every function fails
/// with `session-not-found` when the session it names does not live, and with `shutting-down` or
/// `overloaded` when the service cannot take it; the others are named at each. After any error
/// nothing has changed.
public protocol TreeService: Sendable {
  /// Makes a session with a tree of its own.
  ///
  /// - Parameter session: Its options, and what the tree holds at first.
  /// - Returns: The session's description, at revision 0.
  /// - Throws: `duplicate-key`, `node-not-found` for an expanded key, `depth-limit`,
  ///   `content-too-large`, `overloaded` when there are as many sessions as there may be.
  func createSession(_ session: NewSession) throws(ServiceError) -> SessionDescription

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

  /// Ends a session and its private tree.
  ///
  /// - Parameter id: The session.
  /// - Throws: Only what every function does.
  func deleteSession(_ id: SessionID) throws(ServiceError)

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

  /// Reads a run of a node's children, whether it is expanded or not, or of the roots.
  ///
  /// - Parameters:
  ///   - key: The parent's key; `nil` for the roots.
  ///   - range: The positions wanted, from 0 or more on; cut off where the children end.
  ///   - id: The session.
  ///   - options: What is wanted of them.
  /// - Returns: The children, as far as there are any.
  /// - Throws: `node-not-found`, `range-not-satisfiable` when it begins beyond the end,
  ///   `revision-changed`.
  func children(
    of key: [UInt8]?,
    _ range: Range<Int>,
    of id: SessionID,
    _ options: ReadOptions
  ) throws(ServiceError) -> ChildRange

  /// Reads the way from the root down to a node's parent.
  ///
  /// - Parameters:
  ///   - key: The node's key.
  ///   - id: The session.
  ///   - expectedRevision: The revision the client goes by, or `nil` for any.
  /// - Returns: The ancestors, none at a root.
  /// - Throws: `node-not-found`, `revision-changed`.
  func ancestors(
    of key: [UInt8],
    of id: SessionID,
    expectedRevision: Revision?
  ) throws(ServiceError) -> Ancestors

  /// Applies a batch, all of it or nothing.
  ///
  /// - Parameters:
  ///   - batch: The operations; each sees what the earlier ones did.
  ///   - id: The session.
  ///   - options: How to answer.
  /// - Returns: The net difference of the rows.
  /// - Throws: With the index of the operation that failed: `node-not-found`, `duplicate-key`,
  ///   `parent-not-found`, `cycle`, `anchor-not-a-sibling`, `index-out-of-range`, `depth-limit`,
  ///   `content-too-large`, and `invalid-request` for a put that gives children to a node that is
  ///   there.
  func apply(
    _ batch: Batch,
    to id: SessionID,
    _ options: BatchOptions
  ) throws(ServiceError) -> BatchAnswer
}
