import TreeDomain

// Errors for sessions and trees that have ended.
extension ServiceError {
  /// The error for followers of a session that was deleted.
  static var sessionDeleted: ServiceError {
    ServiceError(
      .sessionNotFound,
      "The session was deleted; make a new one with POST /v1/sessions."
    )
  }

  /// The error for followers of a session whose tree was deleted.
  static var treeDeleted: ServiceError {
    ServiceError(
      .treeNotFound,
      "The tree of the session was deleted; make a session of another one."
    )
  }

  /// The error for a session that was idle for too long.
  static var sessionExpired: ServiceError {
    ServiceError(
      .sessionExpired,
      "The session was idle for too long and has ended; make a new one with POST /v1/sessions."
    )
  }

  /// The error for followers of a store that was closed.
  static var storeClosed: ServiceError {
    ServiceError(.overloaded, "The tree is moving to another instance; try again soon.")
  }
}

// Errors for requests that the state of a tree or session refuses.
extension ServiceError {
  /// The error if the revision is not the one that the client expects.
  static func mismatch(at current: Revision, _ detail: String) -> ServiceError {
    var error = ServiceError(.revisionMismatch, detail)
    error.revision = current
    return error
  }

  /// The error if a key was used for another request.
  static var idempotencyKeyReused: ServiceError {
    ServiceError(
      .idempotencyKeyReused,
      "This Idempotency-Key was used for another request; choose a new one for each."
    )
  }

  /// The error if the first request with an idempotency key is not answered yet.
  static var stillAtIt: ServiceError {
    ServiceError(
      .overloaded,
      "The first request with this Idempotency-Key is still being worked on; try again soon."
    )
  }

  /// Returns the error with the line of an import to which it refers.
  func at(line: Int32) -> ServiceError {
    var error = self
    error.line = Int(line)
    return error
  }

  /// The error for an id of the form that the service generates.
  static var generatedTreeID: ServiceError {
    var error = ServiceError(
      .invalidRequest,
      "Ids of `t_` and 22 letters and digits are made by the service; choose another, or none."
    )
    error.pointer = "/tree"
    return error
  }
}

// Errors for limits.
extension ServiceError {
  /// The error for an import that is too large for storage.
  static var importTooLarge: ServiceError {
    .tooLarge(
      limit: StoredEntry.maxBytes,
      "The nodes are more than can be stored at once; import them in several requests."
    )
  }

  /// The error if a tree would have too many sections.
  static func tooManySections(_ limits: SessionLimits) -> ServiceError {
    .tooLarge(
      limit: limits.maxSections,
      "A tree has no more sections than `limit`; remove some first."
    )
  }

  /// The error if the names of a tree's sections would be too long together.
  static func tooLongSections(_ limits: SessionLimits) -> ServiceError {
    .tooLarge(
      limit: limits.maxSectionNameBytes,
      "The names of a tree's sections have no more than `limit` bytes together; use shorter names,"
        + " or remove sections first."
    )
  }

  /// The error if another export would exceed a limit.
  static func tooManyExports(_ limit: Int) -> ServiceError {
    overloaded(limit: limit, "As many exports are being read as may be; try again later.")
  }

  /// The error if another export would exceed the share of its caller.
  static func tooManyExportsOfCaller(_ limit: Int) -> ServiceError {
    let detail = "With this API key, as many exports are being read as may be; try again later."
    return overloaded(limit: limit, detail)
  }

  /// The error if the service would exceed its limit of memory.
  static func outOfMemory(_ limits: SessionLimits) -> ServiceError {
    .overloaded(
      limit: limits.maxMemoryBytes,
      "The service holds as many bytes as it may (`maxMemoryBytes`), or would; delete sessions, "
        + "trees or nodes, leave out the Idempotency-Key, or try again later."
    )
  }

  /// The error if the trees and sessions of a caller would exceed their share of memory.
  static func outOfCallerShare(_ limits: SessionLimits) -> ServiceError {
    let limit = limits.maxMemoryBytes / MemoryShare.caller
    return .overloaded(
      limit: limit,
      "The trees and sessions that were made with this API key would hold more than \(limit) bytes,"
        + " the share of one key of `maxMemoryBytes`; delete some of them, or try again later."
    )
  }

  /// The error if one or more sessions would exceed their share of memory.
  static func outOfShare(
    _ limits: SessionLimits,
    _ part: Int,
    of holder: String
  ) -> ServiceError {
    let limit = limits.maxMemoryBytes / part
    return .overloaded(
      limit: limit,
      "The \(holder) would hold more than \(limit) bytes, their share of `maxMemoryBytes`; delete "
        + "sessions, use a narrower view, or try again later."
    )
  }
}
