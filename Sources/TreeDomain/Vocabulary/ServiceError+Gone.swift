extension ServiceError {
  /// The error for a session that does not exist.
  package static var sessionNotFound: ServiceError {
    ServiceError(.sessionNotFound, "There is no such session; make one with POST /v1/sessions.")
  }

  /// The error for a tree that does not exist.
  package static var treeNotFound: ServiceError {
    ServiceError(.treeNotFound, "There is no such tree; make one with POST /v1/trees.")
  }

  /// Returns the error for changes that are not known any more.
  ///
  /// They are too old or from before a backup was restored.
  ///
  /// - Parameters:
  ///   - revision: The present revision of the session.
  ///   - rowCount: The present number of rows.
  /// - Returns: The error.
  package static func historyExpired(at revision: Revision, rowCount: Int) -> ServiceError {
    var error = ServiceError(
      .historyExpired,
      "What changed since then is not known; read the rows again and follow from `revision` on."
    )
    error.revision = revision
    error.rowCount = rowCount
    return error
  }
}
