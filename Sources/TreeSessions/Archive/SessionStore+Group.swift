// Changes that are written together.
extension SessionStore {
  /// What changes from here on may be written together.
  public func beginGathering() { core.archive?.queue.beginGathering() }

  /// What changed is to be written.
  public func endGathering() { core.archive?.queue.endGathering() }
}
