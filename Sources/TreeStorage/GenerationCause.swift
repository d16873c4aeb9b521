/// The reason why all revisions go on in a new generation.
public enum GenerationCause: Sendable {
  /// The database is not the one that the folder had last.
  case restoredBackup
  /// Changes that readers were shown were lost, as the disk did not take them.
  case lostChanges
}
