import HTTP
import Synchronization

/// A receiver that discards content, so that the connection can continue after the response.
///
/// More content than a limit ends the connection instead.
final class UnreadContent: BodyReceiver {
  let maxBytes: Int
  private let maxPassed: Int
  private let refusal: Response?
  private let reply: @Sendable () -> Reply
  private let passed = Mutex(0)

  /// Creates a receiver for a request whose content has no effect on the response.
  ///
  /// Content of more than `maxBytes` gives 413.
  init(atMost maxBytes: Int, reply: @escaping @Sendable () -> Reply) {
    self.maxBytes = maxBytes
    maxPassed = maxBytes
    refusal = nil
    self.reply = reply
  }

  /// Creates a receiver for a refused request.
  ///
  /// The response is the same for content of more than `maxPassed` bytes, but is sent before the
  /// content ends, and the connection closes.
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
