import HTTP

/// A connection to another server, used by the upstream loop only.
final class UpstreamConnection {
  enum Phase {
    case connecting
    case idle
    case busy
  }

  let descriptor: FileDescriptor
  let token: EventToken
  let address: String
  /// The phase, which decides what an event of the socket means.
  var phase = Phase.connecting
  /// The exchange in progress; nil if the connection is idle.
  var exchange: UpstreamExchange?
  /// The parser of the response.
  var reader: ResponseReader
  /// False after a read found nothing more, until the next event.
  var isReadable = false
  /// True if the end of the stream has arrived, for which no further event comes.
  var isEnding = false
  /// False after the socket was full, until the next event.
  var isWritable = false
  /// True if sending has failed, so that only the response is awaited.
  var isSendingBroken = false
  /// True if the sending side must be shut down after the current request, because the client has
  /// shut down its own.
  var isSendingLast = false
  /// The bytes to send, of which `written` are sent.
  var output: [UInt8] = []
  /// The number of bytes of `output` that are sent.
  var written = 0
  /// The content to send behind `output`.
  var content: [UInt8] = []
  /// The number of next bytes that do not count as sent content: the head, and content that came
  /// with it.
  var uncounted = 0
  /// True if all of the request is in `output` and `content`.
  var isRequestTaken = false
  /// True if the head of the response was passed on.
  var hasHead = false
  /// True if a request was answered on it before the current one.
  var isReused = false
  /// The time of the connection attempt, of the last sent byte, or of the begin of idleness, in
  /// monotonic milliseconds.
  var phaseStart: Int
  /// The time of its valid entry in the timer queue, in monotonic milliseconds.
  var scheduled: Int?

  init(
    descriptor: consuming FileDescriptor,
    generation: UInt32,
    address: String,
    limits: Limits,
    now: Int
  ) {
    token = EventToken(generation: generation, descriptor: descriptor.number)
    self.descriptor = descriptor
    self.address = address
    reader = ResponseReader(limits: limits, isToHead: false)
    phaseStart = now
  }

  /// True if the whole request was given to the system.
  var isRequestSent: Bool { isRequestTaken && written == output.count && content.isEmpty }

  /// Starts an exchange.
  func begin(_ exchange: UpstreamExchange, limits: Limits, now: Int) {
    self.exchange = exchange
    let request = exchange.request
    reader = ResponseReader(limits: limits, isToHead: request.isToHead)
    (output, written, uncounted) = (request.head, 0, request.head.count)
    content = request.body
    if !request.hasMore { uncounted += content.count }
    isRequestTaken = !request.hasMore
    hasHead = false
    phaseStart = now
  }

  /// Records that bytes were sent.
  ///
  /// - Returns: The number of them that belong to content that was passed later.
  func wrote(_ count: Int) -> Int {
    let counted = max(count - uncounted, 0)
    uncounted -= count - counted
    written += count
    if written >= output.count, !content.isEmpty {
      written -= output.count
      output = content
      content = []
    }
    if written == output.count {
      output = []
      written = 0
    }
    return counted
  }

  /// Returns the time at which the current phase expires; nil if it does not.
  func deadline(_ options: UpstreamOptions) -> Int? {
    switch phase {
    case .connecting: phaseStart + options.connectMilliseconds
    case .idle: phaseStart + options.idleMilliseconds
    case .busy: hasHead ? nil : phaseStart + options.headMilliseconds
    }
  }
}

/// The connections to one server, and the exchanges that wait for one.
struct UpstreamPool {
  /// The address; nil if its text is malformed.
  let address: SocketAddress?
  /// The idle connections, the one used last at the end.
  var idle: [EventToken] = []
  /// The number of connections that are being established.
  var connecting = 0
  /// The exchanges that wait for a connection, in order.
  var waiting: [UpstreamExchange] = []

  /// Creates the pool of an address as `host:port`.
  init(_ text: String) { address = Upstream.address(text) }

  /// True if it has neither connections nor waiting exchanges, so that it can be removed.
  var isEmpty: Bool { idle.isEmpty && connecting == 0 && waiting.isEmpty }
}
