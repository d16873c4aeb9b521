/// The kinds of errors, by their names in the contract.
///
/// These are the errors of the service. A transport has additional codes.
package enum ServiceErrorCode: String, CaseIterable, Sendable {
  /// The body is not JSON or is nested too deeply.
  case malformedJSON = "malformed-json"
  /// The request has unknown or missing members, wrong types or an invalid query.
  case invalidRequest = "invalid-request"
  /// The value of `op` is unknown.
  case unknownOperation = "unknown-operation"
  /// The session does not exist.
  case sessionNotFound = "session-not-found"
  /// The shared tree does not exist.
  case treeNotFound = "tree-not-found"
  /// The tree has no node with this key.
  case nodeNotFound = "node-not-found"
  /// The node exists but has no row.
  case nodeNotVisible = "node-not-visible"
  /// The tree has no section with this name.
  case sectionNotFound = "section-not-found"
  /// A shared tree with this id exists.
  case treeExists = "tree-exists"
  /// The key, or the name of a section, exists or is repeated.
  case duplicateKey = "duplicate-key"
  /// The session's filter hides the node that is to be revealed.
  case hiddenByFilter = "hidden-by-filter"
  /// A newer request sets the same options of the session.
  case superseded
  /// The session is not at the client's revision any more.
  case revisionChanged = "revision-changed"
  /// The changes since the client's revision are not known any more.
  case historyExpired = "history-expired"
  /// The session was idle for too long.
  case sessionExpired = "session-expired"
  /// The session or tree is not at the required revision.
  case revisionMismatch = "revision-mismatch"
  /// The position is after the end.
  case rangeNotSatisfiable = "range-not-satisfiable"
  /// The move would put a node below itself.
  case cycle
  /// The named parent does not exist.
  case parentNotFound = "parent-not-found"
  /// The node named by `before` or `after` has another parent.
  case anchorNotASibling = "anchor-not-a-sibling"
  /// The `index` is greater than the number of siblings.
  case indexOutOfRange = "index-out-of-range"
  /// The node would be deeper than the limit of the tree.
  case depthLimit = "depth-limit"
  /// The selection mode of the session does not allow this selection.
  case selectionMode = "selection-mode"
  /// Another request has used this idempotency key.
  case idempotencyKeyReused = "idempotency-key-reused"
  /// The request exceeds a limit of bytes or entries.
  case contentTooLarge = "content-too-large"
  /// A limit of the service is reached.
  case overloaded
  /// The change cannot be stored because storage is full.
  case storageFull = "storage-full"
  /// The change cannot be stored because storage fails.
  case storageFailed = "storage-failed"
  /// Stored data is damaged.
  case storageDamaged = "storage-damaged"
  /// The service is stopping.
  case shuttingDown = "shutting-down"
  /// An error of the service itself.
  case internalError = "internal-error"
}
