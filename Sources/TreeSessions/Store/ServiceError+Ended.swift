import TreeDomain

extension ServiceError {
  /// The session was deleted while it was followed.
  static var sessionDeleted: ServiceError {
    ServiceError(
      .sessionNotFound,
      "The session was deleted; make a new one with POST /v1/sessions."
    )
  }

  /// The tree was deleted, and its sessions with it, while one of them was followed.
  static var treeDeleted: ServiceError {
    ServiceError(
      .treeNotFound,
      "The tree of the session was deleted; make a session of another one."
    )
  }

  /// Nobody used the session for as long as it asked for.
  static var sessionExpired: ServiceError {
    ServiceError(
      .sessionExpired,
      "The session was idle for too long and has ended; make a new one with POST /v1/sessions."
    )
  }
}
