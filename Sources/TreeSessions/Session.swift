import Synchronization
import TreeDomain

/// One session: its id, and its tree behind a lock.
///
/// One lock a tree suffices: whatever is done to a tree takes microseconds, waits for nothing and
/// takes no other lock, so that holding it for the whole of an operation costs other requests on
/// the same tree no more than that, and readers see one revision each.
final class Session: Sendable {
  let id: SessionID
  private let tree: Mutex<TreeManager>

  init(_ new: NewSession, limits: SessionLimits, usage: ByteUsage) throws(ServiceError) {
    var generator = SystemRandomNumberGenerator()
    id = SessionID(using: &generator)
    var manager = TreeManager(
      session: id,
      tree: TreeID(using: &generator),
      options: new.options,
      limits: limits,
      usage: usage
    )
    try manager.fill(new)
    tree = Mutex(manager)
  }

  /// Works on the tree, alone.
  func withTree<Result, Failure: Error>(
    _ body: (inout TreeManager) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    try tree.withLock { tree throws(Failure) in try body(&tree) }
  }
}

extension ServiceError {
  /// There is no such session, or none any more.
  static var sessionNotFound: ServiceError {
    ServiceError(.sessionNotFound, "There is no such session; make one with POST /v1/sessions.")
  }
}
