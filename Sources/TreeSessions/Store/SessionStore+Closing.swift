import Synchronization
import TreeDomain

// Closing a store while the process continues.
extension SessionStore {
  /// True if no change waits to be written; always true without storage.
  public var isWritten: Bool { core.archive?.queue.isEmpty ?? true }

  /// Interrupts all followers, so that their readers have to reconnect.
  ///
  /// No further followers are added. Must be called after the last request has arrived.
  public func close() {
    core.isClosed.store(true, ordering: .releasing)
    for tree in core.table.withLock(\.treesInMemory) { tree.interruptFollowers() }
  }

  /// The numbers of shared trees, sessions and followers.
  ///
  /// - Complexity: O(1).
  public var counts: (trees: Int, sessions: Int, followers: Int) {
    core.table.withLock { ($0.trees.count, $0.sessionCount, $0.followers) }
  }
}

extension SessionStore.Core {
  /// Makes a random id for a new session, which ``accepts`` allows.
  func makeSessionID(using generator: inout some RandomNumberGenerator) -> SessionID {
    while true {
      let id = SessionID(using: &generator)
      if accepts(id.bytes) { return id }
    }
  }

  /// Makes a random id for a new tree, which ``accepts`` allows.
  func makeTreeID(using generator: inout some RandomNumberGenerator) -> TreeID {
    while true {
      let id = TreeID(using: &generator)
      if accepts(id.bytes) { return id }
    }
  }
}

extension LockedTree {
  /// Interrupts all followers of the tree.
  fileprivate func interruptFollowers() {
    look { tree in
      for session in tree.sessions.values {
        for follower in session.followers { follower.interrupt() }
      }
    }
    failArrivals(.storeClosed)
  }
}
