import HTTP
import Synchronization
import Testing

/// A client of an answer that takes time, with a clock of its own.
final class Listener: Sendable {
  let answer: any LateAnswer
  private let wakings = Counter()

  /// Takes a reply that must be a late answer, and starts it.
  init(_ reply: Reply) throws {
    guard case .later(let answer) = reply else { throw Unexpected.promptAnswer }
    self.answer = answer
    answer.start(Waker { [wakings] in wakings.count() })
  }

  /// How often it was woken.
  var wakes: Int { wakings.value }

  /// Asks what comes next, so many milliseconds after the start.
  func step(at milliseconds: Int = 0) -> LateStep {
    answer.next(now: Moment(milliseconds: milliseconds, date: DateStamp(unixSeconds: 0)))
  }

  /// Asks, and takes what comes for a chunk of text.
  func chunk(at milliseconds: Int = 0) throws -> String {
    guard case .chunk(let bytes) = step(at: milliseconds) else { throw Unexpected.otherStep }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Asks, and takes what comes for the beginning of a stream.
  func beginning() throws -> Response {
    guard case .begin(let response) = step() else { throw Unexpected.otherStep }
    return response
  }

  /// Asks, and takes what comes for a whole answer.
  func response(at milliseconds: Int = 0) throws -> Response {
    guard case .answer(let response) = step(at: milliseconds) else { throw Unexpected.otherStep }
    return response
  }

  /// Asks, and takes what comes for a wait of so many milliseconds.
  func wait(at milliseconds: Int = 0) throws -> Int? {
    guard case .wait(let time) = step(at: milliseconds) else { throw Unexpected.otherStep }
    return time
  }

  /// Asks, and tells whether the stream is complete.
  func hasEnded() -> Bool {
    if case .end = step() { true } else { false }
  }
}

/// Counts, from any thread.
private final class Counter: Sendable {
  private let number = Mutex(0)

  var value: Int { number.withLock { $0 } }

  func count() { number.withLock { $0 += 1 } }
}
