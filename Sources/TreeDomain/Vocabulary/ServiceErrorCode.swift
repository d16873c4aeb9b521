/// What went wrong, by the names of the contract.
///
/// These are what the service itself can say; a transport has codes of its own beside them.
public enum ServiceErrorCode: String, CaseIterable, Sendable {
  /// The body is not JSON, or nested too deep.
  case malformedJSON = "malformed-json"
  /// Unknown or missing members, wrong types, a bad query.
  case invalidRequest = "invalid-request"
  /// An `op` that is none.
  case unknownOperation = "unknown-operation"
  /// No session of this id lives.
  case sessionNotFound = "session-not-found"
  /// No shared tree has this id.
  case treeNotFound = "tree-not-found"
  /// The tree has no node with this key.
  case nodeNotFound = "node-not-found"
  /// The node is there, but it has no row.
  case nodeNotVisible = "node-not-visible"
  /// The tree has no section of this name.
  case sectionNotFound = "section-not-found"
  /// A shared tree has this id already.
  case treeExists = "tree-exists"
  /// A key, or the name of a section, that exists or comes twice.
  case duplicateKey = "duplicate-key"
  /// The session's filter hides the node that is to be revealed.
  case hiddenByFilter = "hidden-by-filter"
  /// A newer request sets the same options of the session.
  case superseded
  /// The session is no longer at the revision the client named.
  case revisionChanged = "revision-changed"
  /// What changed since the revision the client named is no longer known.
  case historyExpired = "history-expired"
  /// The session lay idle for too long.
  case sessionExpired = "session-expired"
  /// The session, or tree, is at another revision than the request needs.
  case revisionMismatch = "revision-mismatch"
  /// A position beyond the end.
  case rangeNotSatisfiable = "range-not-satisfiable"
  /// A move of a node below itself.
  case cycle
  /// The named parent does not exist.
  case parentNotFound = "parent-not-found"
  /// The node named by `before` or `after` has another parent.
  case anchorNotASibling = "anchor-not-a-sibling"
  /// An `index` beyond the number of siblings.
  case indexOutOfRange = "index-out-of-range"
  /// A node would stand deeper than the tree may be.
  case depthLimit = "depth-limit"
  /// The session's mode does not allow to select this.
  case selectionMode = "selection-mode"
  /// Another request has used this idempotency key.
  case idempotencyKeyReused = "idempotency-key-reused"
  /// Something has more bytes or entries than its limit.
  case contentTooLarge = "content-too-large"
  /// There is no room for more.
  case overloaded
  /// What was asked for cannot be kept, for want of storage.
  case storageFull = "storage-full"
  /// What was asked for cannot be kept, as storage fails.
  case storageFailed = "storage-failed"
  /// What was kept is not as it was written.
  case storageDamaged = "storage-damaged"
  /// The service is stopping.
  case shuttingDown = "shutting-down"
  /// A fault of the service itself.
  case internalError = "internal-error"
}
