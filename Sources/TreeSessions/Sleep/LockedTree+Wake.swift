import TreeDomain
import TreeEngine

// Waking sessions whose rows take long to make. Only the last step needs the lock of the tree.
extension LockedTree {
  /// Wakes a session on a copy of the tree, if it sleeps and its rows take long to make.
  ///
  /// Other calls use the tree meanwhile. If they change it too much, the session stays asleep, and
  /// the next call that uses it wakes it under the lock.
  ///
  /// - Parameters:
  ///   - id: The session.
  ///   - mode: The mode of a call that runs on the tree's executor.
  /// - Throws: `overloaded`, and the errors of the meter.
  func wakeOnCopy(_ id: SessionID, _ mode: CallMode) throws(ServiceError) {
    for _ in 0..<SessionStore.maxRowTries {
      var watch: ChangeWatch?
      var waking: WakingSession?
      let copy = try withTree(mode) { tree throws(ServiceError) -> TreeCopy? in
        waking = try tree.sessionToWakeOnCopy(id)
        guard waking != nil else { return nil }
        watch = tree.content.tree.watchChanges()
        return TreeCopy(tree.fork(with: tree.sessions.values))
      }
      guard let copy, let watch, let waking else { return }
      let changes = copy.manager.copying.changes
      copy.manager.meter.begin(mode.control)
      try copy.manager.wakeOnCopy(waking)
      // The former tree is freed after the lock is released.
      defer { withExtendedLifetime(copy) {} }
      let isAwake = try withTree(mode) { tree throws(ServiceError) in
        try tree.wake(id, by: &copy.manager, after: changes, since: watch)
      }
      if isAwake { return }
    }
  }
}
