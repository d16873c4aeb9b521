import HTTP

/// A request on its way to another instance.
struct Hop: Sendable {
  let request: Request
  let address: String
  private let subject: ClusterSubject
  private let handler: ClusterHandler
  private let attempts: Int
  /// True if the request is complete, so that it can be sent again.
  private let isWhole: Bool

  /// Creates a hop.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - address: The address of the other instance.
  ///   - subject: The subject of the request.
  ///   - handler: The handler that forwards it.
  ///   - attempts: The number of times that it may be forwarded again.
  ///   - isWhole: False if its content is not complete yet.
  init(
    _ request: Request,
    to address: String,
    _ subject: ClusterSubject,
    _ handler: ClusterHandler,
    attempts: Int,
    isWhole: Bool = true
  ) {
    self.request = request
    self.address = address
    self.subject = subject
    self.handler = handler
    self.attempts = attempts
    self.isWhole = isWhole
  }

  /// Sends the request.
  ///
  /// - Parameters:
  ///   - content: The content.
  ///   - target: The path and query; nil for those of the request.
  /// - Returns: The exchange.
  func send(_ content: OutgoingRequest.Content, target: [UInt8]? = nil) -> any ForwardedExchange {
    // An event stream is compressed by this instance, so that it can append the end.
    let isPlain = isForEvents && !request.isUnanswerable
    let outgoing = OutgoingRequest(
      forwarding: request,
      target: target,
      content: content,
      leavingOut: isPlain ? [.hop, .client, .acceptEncoding] : [.hop, .client],
      adding: handler.fields(for: request)
    )
    return handler.forwarder.send(outgoing, to: address)
  }

  /// True if the request changes nothing.
  var isRead: Bool { [.get, .head, .options].contains(request.method) }

  /// True if the request asks for a stream of events.
  private var isForEvents: Bool {
    guard request.method == .get, let accept = request.fields.combinedValue(.accept) else {
      return false
    }
    return accept.firstRange(of: Self.events) != nil
  }

  private static let events = Array(MediaType.events.name.utf8)

  /// True if the subject is no longer at the address.
  var isMoved: Bool {
    let isMade = if case .creation = subject { true } else { false }
    return !isMade && handler.place(of: subject, request) != .at(address)
  }

  /// Responds to the request again, at the current place of its subject.
  ///
  /// - Parameter isUndone: True if the request was certainly not carried out.
  /// - Returns: The reply; nil if it is unsafe to repeat the request, or the subject has not moved.
  func again(isUndone: Bool) -> Reply? {
    let isHarmless = isUndone || isRead || request.has(.idempotencyKey)
    guard isWhole, isHarmless, isMoved else { return nil }
    return handler.respond(to: request, attempts: attempts)
  }

  /// The path and query without `wait`; nil if the request is not one that waits for changes.
  var targetWithoutWait: [UInt8]? {
    let target = request.target.pathAndQuery
    guard request.method == .get, let mark = target.firstIndex(of: UInt8(ascii: "?")) else {
      return nil
    }
    let items = target[(mark + 1)...].split(separator: UInt8(ascii: "&"))
    let kept = items.filter { !$0.starts(with: Self.wait) }
    guard kept.count < items.count else { return nil }
    return Array(target[...mark]) + kept.joined(separator: [UInt8(ascii: "&")])
  }

  private static let wait = Array("wait=".utf8)
}
