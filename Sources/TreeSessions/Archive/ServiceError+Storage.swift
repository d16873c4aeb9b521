import TreeDomain

// Errors for clients when something cannot be stored or read.
extension ServiceError {
  /// Makes an error for clients from one of storage, about a tree if it is given.
  init(_ error: StorageError, of tree: TreeID? = nil) {
    let subject = tree.map { "Tree \(String(decoding: $0.bytes, as: UTF8.self))" } ?? "This"
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
          "\(subject) cannot be read any more: \(reason). Restore a backup, or check with --check."
        )
      case .tooLarge(let reason):
        ServiceError(
          .overloaded,
          "\(subject) cannot be brought into memory now, for \(reason); delete sessions, trees or "
            + "nodes, raise maxMemoryBytes, or try again later."
        )
      }
  }

  static func storageFailed(_ reason: String) -> ServiceError {
    ServiceError(
      .storageFailed,
      "This could not be kept (\(reason)); nothing has changed, try again later."
    )
  }

  /// The error for additions when only removals are admitted.
  static var shortOfRoom: ServiceError {
    ServiceError(
      .storageFull,
      """
      Hardly any room is left on the disk, which is kept for what takes something away; delete \
      trees or sessions that are not needed, or give it more room, and try again.
      """
    )
  }

  /// The error for changes when too many bytes wait to be written.
  static var behindStorage: ServiceError {
    ServiceError(.overloaded, "Too much waits to be written to storage; try again soon.")
  }
}
