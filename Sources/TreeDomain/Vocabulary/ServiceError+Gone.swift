extension ServiceError {
  /// There is no such session, or none any more.
  public static var sessionNotFound: ServiceError {
    ServiceError(.sessionNotFound, "There is no such session; make one with POST /v1/sessions.")
  }

  /// There is no such tree, or none any more.
  public static var treeNotFound: ServiceError {
    ServiceError(.treeNotFound, "There is no such tree; make one with POST /v1/trees.")
  }

  /// What changed since the revision asked about is not known: it is too long ago, or was before a
  /// backup was restored.
  ///
  /// - Parameters:
  ///   - revision: The session's revision now.
  ///   - rowCount: How many rows it has.
  /// - Returns: The error.
  public static func historyExpired(at revision: Revision, rowCount: Int) -> ServiceError {
    var error = ServiceError(
      .historyExpired,
      "What changed since then is not known; read the rows again and follow from `revision` on."
    )
    error.revision = revision
    error.rowCount = rowCount
    return error
  }
}
