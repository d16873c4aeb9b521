internal import TreeDomain
internal import TreeStorage

/// The sentences for the operator about the start of a generation.
enum GenerationNotice {
  static let isOther = "not the database that this folder had last"
  static let hasLost = "the disk did not take some changes that readers were shown"

  /// Returns a sentence for the operator if a generation began; otherwise nil.
  ///
  /// - Throws: ``StorageError``.
  static func text(
    _ cause: GenerationCause?,
    _ stored: any TreeStorage,
    _ configuration: Configuration
  ) throws(StorageError) -> String? {
    let place = configuration.storagePlace
    let reason: String
    switch cause {
    case .restoredBackup where configuration.isDatabase:
      reason =
        "\(place) is not what it was: a backup was restored, or a standby promoted"
    case .restoredBackup:
      reason = "\(place) is \(isOther): a backup was restored"
    case .lostChanges: reason = "\(place): before the last stop \(hasLost)"
    case nil: return nil
    }
    let start = try stored.generations().current.number
    return """
      \(reason). All revisions go on at \(start), and clients that hold older ones are told to \
      read everything again
      """
  }
}
