import HTTP
import Synchronization

/// A receiver that passes content on to another instance.
///
/// Short content is collected, so that the request can be sent at once, and again if necessary.
/// Longer content is passed on with little buffering, at the speed of the other instance.
final class HopReceiver: BodyReceiver {
  private struct State {
    var waker: Waker?
    /// The content collected so far, as long as it is short.
    var held: [UInt8] = []
    /// The exchange and its answer, once content is passed on as it arrives.
    var stream: (exchange: any ForwardedExchange, answer: ForwardedAnswer)?
  }

  /// The length up to which content is collected, in bytes.
  static let maxHeldBytes = 64 * 1024
  /// The bytes that may wait to be sent before the client is slowed down.
  static let maxUnsentBytes = 256 * 1024

  /// No limit, because the other instance has one.
  let maxBytes = Int.max
  private let request: Request
  private let address: String
  private let subject: ClusterSubject
  private let handler: ClusterHandler
  private let state = Mutex(State())

  /// Creates a receiver for the content of a request to another instance.
  init(
    _ request: Request,
    to address: String,
    _ subject: ClusterSubject,
    _ handler: ClusterHandler
  ) {
    self.request = request
    self.address = address
    self.subject = subject
    self.handler = handler
  }

  var heldBytes: Int? {
    state.withLock { $0.held.count + ($0.stream?.exchange.unsentBytes ?? 0) }
  }

  func attach(_ waker: Waker) { state.withLock { $0.waker = waker } }

  func begin() -> Response? {
    if request.waitsToSend || request.announcedBytes ?? 0 > Self.maxHeldBytes {
      state.withLock { stream(&$0) }
    }
    return nil
  }

  func demand() -> BodyDemand {
    let answer = state.withLock { $0.stream?.answer }
    return answer?.demand(maxUnsentBytes: Self.maxUnsentBytes, waits: request.waitsToSend) ?? .more
  }

  func receive(_ bytes: ArraySlice<UInt8>) -> Response? {
    state.withLock { state in
      if let exchange = state.stream?.exchange { return exchange.append(bytes) }
      state.held += bytes
      if state.held.count > Self.maxHeldBytes { stream(&state) }
    }
    return nil
  }

  func finish() -> Reply {
    let (stream, content) = state.withLock { ($0.stream, $0.held) }
    guard let stream else {
      return handler.respond(to: request.carrying(content), at: address, subject)
    }
    stream.exchange.finish()
    return .later(stream.answer)
  }

  func cancel() { state.withLock { $0.stream }?.answer.cancel() }

  /// Starts to pass content on as it arrives.
  private func stream(_ state: inout State) {
    let hop = Hop(request, to: address, subject, handler, attempts: 0, isWhole: false)
    let exchange = hop.send(request.announcedBytes.map { .announced($0) } ?? .chunked)
    if let waker = state.waker { exchange.attach(waker) }
    if !state.held.isEmpty { exchange.append(state.held[...]) }
    state.held = []
    state.stream = (exchange, ForwardedAnswer(hop, exchange))
  }
}
