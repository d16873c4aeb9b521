import Synchronization
import TreeDomain

/// A tree behind its lock, with the sessions that look at it.
///
/// One lock a tree suffices: whatever is done to a tree waits for nothing and takes no lock but
/// that of a follower's queue, so that holding it for the whole of an operation costs others on the
/// same tree no more than the work itself, readers see one revision each, and the revisions of all
/// its sessions have no gaps.
final class LockedTree: Sendable {
  let id: TreeID
  private let manager: Mutex<TreeManager>

  init(_ manager: consuming sending TreeManager) {
    id = manager.id
    self.manager = Mutex(manager)
  }

  /// Works on the tree, alone.
  func withTree<Result, Failure: Error>(
    _ body: (inout TreeManager) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    try manager.withLock { tree throws(Failure) in
      defer { if tree.wantsCompaction { tree.compact() } }
      return try body(&tree)
    }
  }

  /// Works on the tree for one of its sessions, alone.
  ///
  /// - Throws: `session-not-found` when the session has ended since it was looked up.
  func withSession<Result>(
    _ id: SessionID,
    _ body: (inout TreeManager, OpenSession) throws(ServiceError) -> sending Result
  ) throws(ServiceError) -> sending Result {
    try manager.withLock { tree throws(ServiceError) in
      defer { if tree.wantsCompaction { tree.compact() } }
      guard let session = tree.sessions[id] else { throw .sessionNotFound }
      return try body(&tree, session)
    }
  }
}
