import Foundation
import Synchronization

/// Work that is done on a thread of its own, and what has come of it.
final class BackgroundWork<Value: Sendable>: Sendable {
  private let outcome = Mutex<Result<Value, any Error>?>(nil)
  private let end = DispatchSemaphore(value: 0)

  /// Begins to work.
  init(_ work: @escaping @Sendable () throws -> Value) {
    Thread.detachNewThread { [self] in
      let result = Result { try work() }
      outcome.withLock { $0 = result }
      end.signal()
    }
  }

  /// Whether it has ended.
  var isDone: Bool { outcome.withLock { $0 != nil } }

  /// Waits for its end.
  func result() throws -> Value? {
    end.wait()
    return try outcome.withLock { try $0?.get() }
  }
}
