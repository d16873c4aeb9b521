import HTTP
import Synchronization

/// Lets content pass that nobody reads, so that the connection can go on after the answer.
///
/// What is more than a little of it ends the connection instead. Nothing of it is kept.
final class UnreadContent: BodyReceiver {
  let maxBytes: Int
  private let maxPassed: Int
  private let refusal: Response?
  private let reply: @Sendable () -> Reply
  private let passed = Mutex(0)

  /// Content of a request to be replied to; too much of it is 413.
  init(atMost maxBytes: Int, reply: @escaping @Sendable () -> Reply) {
    self.maxBytes = maxBytes
    maxPassed = maxBytes
    refusal = nil
    self.reply = reply
  }

  /// Content of a request that is refused, however much of it there is.
  init(atMost maxPassed: Int, refusal: Response) {
    maxBytes = .max
    self.maxPassed = maxPassed
    self.refusal = refusal
    reply = { .response(refusal) }
  }

  func receive(_ bytes: ArraySlice<UInt8>) -> Response? {
    let sum = passed.withLock { passed in
      passed += bytes.count
      return passed
    }
    return sum > maxPassed ? refusal : nil
  }

  func finish() -> Reply { reply() }

  func cancel() {}
}
