import HTTP
import Synchronization
import TreeDomain

/// Takes the content of a request while it is looked up on disk whether its sender may send it.
///
/// A sender who may not is refused with the first bytes that come after that is known, and what
/// came before is let go of, so that what is held of anybody's content is little.
final class AuthorizingReceiver: BodyReceiver {
  private struct State {
    var isKnown = false
    var refusal: Response?
    var body: [UInt8] = []
  }

  /// How many bytes are held before the sender is known.
  static let maxHeldBytes = 1 << 20

  let maxBytes: Int
  private let executor: any WorkExecutor
  private let refusal: @Sendable (Attempt) -> Response?
  private let reply: @Sendable ([UInt8]) -> Reply
  private let state = Mutex(State())

  /// Makes a receiver.
  ///
  /// - Parameters:
  ///   - maxBytes: The most bytes of content.
  ///   - executor: Has the sender looked up.
  ///   - refusal: Looks the sender up, and says why it is refused, if it is.
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

  /// The reply asks again who sends it: that may not be known yet.
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
