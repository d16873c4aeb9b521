import TreeDomain

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
}
