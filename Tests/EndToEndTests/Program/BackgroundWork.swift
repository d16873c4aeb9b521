import Foundation
import Synchronization

/// Work on its own thread, with its result.
final class BackgroundWork<Value: Sendable>: Sendable {
  private let outcome = Mutex<Result<Value, any Error>?>(nil)
  private let end = DispatchSemaphore(value: 0)

  /// Starts the work.
  init(_ work: @escaping @Sendable () throws -> Value) {
    Thread.detachNewThread { [self] in
      let result = Result { try work() }
      outcome.withLock { $0 = result }
      end.signal()
    }
  }

  /// True if the work has ended.
  var isDone: Bool { outcome.withLock { $0 != nil } }

  /// Waits for the end, and returns the result or throws the error.
  func result() throws -> Value? {
    end.wait()
    return try outcome.withLock { try $0?.get() }
  }
}
