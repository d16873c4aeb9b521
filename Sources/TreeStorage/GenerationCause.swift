/// A reason to begin a new generation; see ``Generations``.
package enum GenerationCause: Sendable {
  /// The database is not the last one of its folder.
  case restoredBackup
  /// The disk did not take changes that readers may have seen.
  case lostChanges
}
