// Group commit: changes that are written together.
extension SessionStore {
  /// Begins a group of changes that should be written in one commit.
  public func beginGroup() { core.archive?.queue.beginGroup() }

  /// Ends the group, so that its commit can begin.
  public func endGroup() { core.archive?.queue.endGroup() }
}
