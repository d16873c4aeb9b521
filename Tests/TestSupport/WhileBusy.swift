import Dispatch
import Foundation

/// Runs a body while a write to a tree is in progress.
///
/// - Parameters:
///   - follow: Follows a session of the tree with the given notification. It is called under the
///     lock of the tree, and blocks the write there.
///   - write: Writes to the tree, on its own thread.
///   - body: The body to run meanwhile.
package func whileBusy(
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
    // Later notifications do not block.
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
