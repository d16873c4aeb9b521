import HTTP
import Synchronization
import TreeDomain

/// A receiver that collects content while the caller's permission is looked up on disk.
///
/// A caller without permission is refused at the next content after the look-up. Content received
/// before is freed, so that little is held for unknown callers.
final class AuthorizingReceiver: BodyReceiver {
  private struct State {
    var isKnown = false
    var refusal: Response?
    var body: [UInt8] = []
  }

  /// The maximum number of bytes collected before the permission is known.
  static let maxHeldBytes = 1 << 20

  let maxBytes: Int
  private let executor: any WorkExecutor
  private let refusal: @Sendable (Attempt) -> Response?
  private let reply: @Sendable ([UInt8]) -> Reply
  private let state = Mutex(State())

  /// Creates a receiver.
  ///
  /// - Parameters:
  ///   - maxBytes: The maximum length of the content.
  ///   - executor: Runs the look-up.
  ///   - refusal: Looks up the permission and returns a refusal, or nil.
  ///   - reply: Replies to the request with its content.
  init(
    maxBytes: Int,
    executor: any WorkExecutor,
    refusal: @escaping @Sendable (Attempt) -> Response?,
    reply: @escaping @Sendable ([UInt8]) -> Reply
  ) {
    self.maxBytes = maxBytes
    self.executor = executor
    self.refusal = refusal
    self.reply = reply
  }

  var heldBytes: Int? { state.withLock { $0.body.count } }

  func begin() -> Response? {
    let job = Job { [self] attempt in
      let refusal = refusal(attempt)
      state.withLock { state in
        state.isKnown = true
        state.refusal = refusal
        if refusal != nil { state.body = [] }
      }
    }
    return executor.submit(job) ? nil : Problem.overloaded(retryAfter: 1).response
  }

  func receive(_ bytes: ArraySlice<UInt8>) -> Response? {
    state.withLock { state in
      if let refusal = state.refusal { return refusal }
      guard state.isKnown || state.body.count + bytes.count <= Self.maxHeldBytes else {
        return Problem.overloaded(retryAfter: 1).response
      }
      state.body.append(contentsOf: bytes)
      return nil
    }
  }

  /// Returns the reply, which checks the permission again, because it may not be known yet.
  func finish() -> Reply {
    reply(
      state.withLock { state in
        defer { state.body = [] }
        return state.body
      }
    )
  }

  func cancel() { state.withLock { $0.body = [] } }
}
