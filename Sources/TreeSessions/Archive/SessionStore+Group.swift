// Group commit: changes that are written together.
extension SessionStore {
  /// What changes from here on may be written with one commit.
  public func beginGroup() { core.archive?.queue.beginGroup() }

  /// Has that commit begin.
  public func endGroup() { core.archive?.queue.endGroup() }
}
