import TreeDomain

// Why something cannot be kept, or read.
extension ServiceError {
  /// What storage says, to a client.
  init(_ error: StorageError) {
    self =
      switch error {
      case .full(let reason):
        ServiceError(
          .storageFull,
          "There is no room to keep this (\(reason)); nothing has changed, try again later."
        )
      case .failed(let reason): .storageFailed(reason)
      case .refused(let reason):
        ServiceError(
          .internalError,
          "This cannot be kept (\(reason)); nothing has changed, and it is of no use to try again."
        )
      case .damaged(let reason):
        ServiceError(
          .storageDamaged,
          "This cannot be read any more: \(reason). Restore a backup, or check with --check."
        )
      }
  }

  static func storageFailed(_ reason: String) -> ServiceError {
    ServiceError(
      .storageFailed,
      "This could not be kept (\(reason)); nothing has changed, try again later."
    )
  }

  /// More waits to be written than there may.
  static var behindStorage: ServiceError {
    ServiceError(.overloaded, "Too much waits to be written to storage; try again soon.")
  }
}
