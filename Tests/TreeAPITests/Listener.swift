import HTTP
import Synchronization
import Testing

/// A client of a deferred answer, with a simulated clock.
final class Listener: Sendable {
  let answer: any LateAnswer
  private let wakings = Counter()

  /// Starts a deferred answer; throws for other replies.
  init(_ reply: Reply) throws {
    guard case .later(let answer) = reply else { throw Unexpected.promptAnswer }
    self.answer = answer
    answer.start(Waker { [wakings] in wakings.count() })
  }

  /// The number of times that it was woken.
  var wakes: Int { wakings.value }

  /// Returns the next step, at a time in milliseconds after the start.
  func step(at milliseconds: Int = 0) -> LateStep {
    answer.next(now: Moment(milliseconds: milliseconds, date: DateStamp(unixSeconds: 0)))
  }

  /// Expects a chunk as the next step, and returns its text.
  func chunk(at milliseconds: Int = 0) throws -> String {
    guard case .chunk(let bytes) = step(at: milliseconds) else { throw Unexpected.otherStep }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Expects the beginning of a stream as the next step, and returns it.
  func beginning() throws -> Response {
    guard case .begin(let response) = step() else { throw Unexpected.otherStep }
    return response
  }

  /// Expects a whole answer as the next step, and returns it.
  func response(at milliseconds: Int = 0) throws -> Response {
    guard case .answer(let response) = step(at: milliseconds) else { throw Unexpected.otherStep }
    return response
  }

  /// Expects a wait as the next step, and returns its milliseconds.
  func wait(at milliseconds: Int = 0) throws -> Int? {
    guard case .wait(let time) = step(at: milliseconds) else { throw Unexpected.otherStep }
    return time
  }

  /// Returns true if the next step is the end of the stream.
  func hasEnded() -> Bool {
    if case .end = step() { true } else { false }
  }
}

/// A thread-safe counter.
private final class Counter: Sendable {
  private let number = Mutex(0)

  var value: Int { number.withLock { $0 } }

  func count() { number.withLock { $0 += 1 } }
}
