import Dispatch
import Foundation

/// Keeps a tree worked on while the body runs: a write to it is under way, and not over before.
///
/// - Parameters:
///   - follow: Follows a session of the tree, to be notified by the function given: under the
///     tree's lock, where the write is held.
///   - write: Writes to the tree, with all the time there is.
///   - body: What is done meanwhile.
public func whileBusy(
  follow: (_ notify: @escaping @Sendable () -> Void) throws -> Void,
  write: @escaping @Sendable () -> Void,
  _ body: () throws -> Void
) throws {
  let reached = DispatchSemaphore(value: 0)
  let mayGoOn = DispatchSemaphore(value: 0)
  let isOver = DispatchSemaphore(value: 0)
  try follow {
    reached.signal()
    mayGoOn.wait()
    // Whoever comes later is not held.
    mayGoOn.signal()
  }
  Thread.detachNewThread {
    write()
    isOver.signal()
  }
  reached.wait()
  defer {
    mayGoOn.signal()
    isOver.wait()
  }
  try body()
}
