import TreeDomain

// Why something cannot be kept, or read.
extension ServiceError {
  /// What storage says, to a client; of which tree, where it is of one.
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

  /// What room is left is kept for what makes room.
  static var shortOfRoom: ServiceError {
    ServiceError(
      .storageFull,
      """
      Hardly any room is left on the disk, which is kept for what takes something away; delete \
      trees or sessions that are not needed, or give it more room, and try again.
      """
    )
  }

  /// More waits to be written than there may.
  static var behindStorage: ServiceError {
    ServiceError(.overloaded, "Too much waits to be written to storage; try again soon.")
  }
}
