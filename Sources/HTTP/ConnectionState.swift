/// The state machine of an HTTP/1 connection, without I/O.
///
/// It learns of events and returns the next action. It neither reads a clock nor uses a socket.
///
/// The owner reports each event (`receive`, `peerFinished`, `peerClosed`, `wrote`, `wake`,
/// `expire`, `drain`). It then carries out ``next()`` until the action is `read` or `wait` and
/// nothing can be read.
///
/// Requests are processed one at a time. The next one is not read until the response is written.
/// Pipelined responses therefore stay in order. A client that sends without reading is slowed down.
/// The memory for such a client is at most one response (or one piece of a stream) and the result
/// of one read.
package struct ConnectionState: Sendable {
  /// An action of the owner.
  package enum Action: Sendable {
    /// Choose a receiver for the content of this request with
    /// ``ConnectionState/choose(_:now:waker:)``.
    ///
    /// Only the head has been read.
    case choose(Request)
    /// Handle the request and pass the reply to ``ConnectionState/reply(_:now:waker:)``.
    case handle(Request)
    /// Encode the content as gzip and pass the result to ``ConnectionState/coded(_:now:)``.
    ///
    /// The result may be passed later.
    case code(UncodedContent)
    /// Record an exchange that is over.
    case record(ExchangeRecord)
    /// Finish the receiver and pass its reply to ``ConnectionState/reply(_:now:waker:)``.
    case finish(any BodyReceiver)
    /// Write ``ConnectionState/unwritten``, then ``ConnectionState/unwrittenContent``, as far as
    /// the socket accepts them, and report `wrote`.
    case write
    /// Read if something can be read, and report `receive` or `peerClosed`.
    case read
    /// Wait for the next event.
    case wait
    /// Shut down the sending side and continue.
    case shutdownWrite
    /// Close the socket.
    ///
    /// The state must not be used again.
    case close
    /// Close the socket with a reset, because the peer reads nothing or no response can be sent.
    ///
    /// The state must not be used again.
    case reset
  }

  /// A phase in the processing of a request.
  enum Phase: Sendable {
    /// Between requests or inside a head.
    case head
    /// The owner is choosing the receiver of a request's content.
    case choosing
    /// Reading the content of a request.
    case body
    /// The owner is handling the request, or encoding the response's content.
    case handling
    /// A deferred answer has the request and has not begun its response.
    case waiting
    /// A deferred answer is sending a stream.
    case streaming
    /// The last response is in the output; then the sending side is shut down.
    case finishing
    /// Reading and discarding input, so that the peer receives the last response.
    case lingering
    case closed
    case broken
  }

  let limits: Limits
  let hosts: HostRule
  let crossOrigin: CrossOriginPolicy?
  let codingPolicy: CodingPolicy?
  var now: Moment
  var phase = Phase.head
  /// The time when the phase, or in the head phase the first byte of the head, began.
  var phaseStart: Int
  /// The time of the last byte received or written.
  var lastProgress: Int
  /// The bytes received since the phase began, for measuring a rate.
  var phaseBytes = 0
  /// True if the peer has shut down its sending side; some input may still be unread.
  var hasPeerFinished = false
  /// True if an interim response was sent after that.
  var hasProbedPeer = false
  /// True if the peer has shut down its sending side and all input is read.
  var hasPeerClosed = false
  var isDraining = false
  var requestCount = 0

  var input: [UInt8] = []
  /// The offset of the first unprocessed byte of `input`.
  var inputStart = 0
  var parser: RequestParser
  /// The head of the request whose content is being read.
  var head: RequestHead?
  /// The rule that refuses the current request although its head is well formed, if any.
  var refusal: RequestRejection?
  var decoder: ChunkedDecoder
  /// The number of content bytes consumed.
  var contentCount = 0
  /// The content collected so far, or the part of it that the receiver has not consumed.
  var body: [UInt8] = []
  /// The size of the content that is held while a request is handled, or a response is encoded.
  var bytesInHand = 0
  /// The memory of a large head that is held until its response ends, in bytes.
  var headBytes = 0
  /// The consumer of the content; nil if the content is collected.
  var receiver: (any BodyReceiver)?
  /// True if the client waits for `100 Continue`, and is to get it when content is demanded.
  var isContinueDue = false
  /// The time when the receiver stopped demanding content, in milliseconds; nil while it demands
  /// content.
  var pauseStart: Int?
  /// The form of the current response.
  var form = ResponseSerializer.Form()

  /// The deferred answer to the current request, if any.
  var lateAnswer: (any LateAnswer)?
  /// True if the deferred answer must be asked once the output is written.
  var isAskDue = false
  /// The next time to ask the deferred answer; nil if it gave none.
  var askTime: Int?
  /// True if the deferred answer said that it will continue within microseconds.
  package internal(set) var isAnswerNear = false

  /// The content codings that the current client accepts.
  var codings = AcceptedCodings()
  /// The content that the owner must encode next.
  var toCode: UncodedContent?
  /// The response or piece that waits for its encoded content.
  var uncoded: Uncoded?
  /// True if a piece of the current stream was encoded.
  var hasCodedPiece = false

  var ids: RequestIDs
  /// The record of the current exchange, if there is one.
  var exchange: ExchangeRecord?
  /// True if the whole response to it is in the output.
  var isAnswered = false

  var output = Output()

  /// Creates the state of a new connection.
  ///
  /// - Parameters:
  ///   - limits: The limits on its input, times and number of requests.
  ///   - hosts: The hosts that its requests may name.
  ///   - router: The routes for its requests.
  ///   - crossOrigin: The access of other origins to its responses; nil for none.
  ///   - codingPolicy: The responses that are encoded; nil for none.
  ///   - ids: The generator of request ids.
  ///   - remote: The address of the client; empty if it is unknown.
  ///   - now: The time.
  package init(
    limits: Limits,
    hosts: HostRule,
    router: Router,
    crossOrigin: CrossOriginPolicy? = nil,
    codingPolicy: CodingPolicy? = nil,
    ids: RequestIDs,
    remote: String = "",
    now: Moment
  ) {
    self.limits = limits
    self.hosts = hosts
    self.crossOrigin = crossOrigin
    self.codingPolicy = codingPolicy
    self.ids = ids
    self.now = now
    phaseStart = now.milliseconds
    lastProgress = now.milliseconds
    parser = RequestParser(limits: limits, router: router, remote: remote)
    decoder = ChunkedDecoder(limits: limits, maxContentBytes: limits.maxBodyBytes)
  }

  /// The bytes to send next.
  ///
  /// More may follow once they are written.
  ///
  /// Mutating to avoid a copy; see ``snapshot()``.
  package var unwritten: ArraySlice<UInt8> { mutating get { output.bytes[output.written...] } }

  /// The content to send behind ``unwritten``, in the same call or later.
  package var unwrittenContent: [UInt8] { mutating get { output.content } }

  /// True if no request has begun and all is sent, so that closing loses nothing.
  ///
  /// Mutating to avoid a copy; see ``snapshot()``.
  package var isIdle: Bool {
    mutating get {
      guard case .head = phase else { return false }
      return !parser.hasBegun && inputStart == input.count && output.isEmpty
    }
  }

  /// True if nothing more is sent, and input is only read so that the last response arrives.
  ///
  /// Mutating to avoid a copy; see ``snapshot()``.
  package var isLingering: Bool {
    mutating get {
      guard case .lingering = phase else { return false }
      return true
    }
  }

  /// True if the connection is idle after at least one request.
  ///
  /// Mutating to avoid a copy; see ``snapshot()``.
  package var isKeptIdle: Bool { mutating get { isIdle && requestCount > 0 } }

  /// Returns the next action, which the owner must carry out.
  ///
  /// Each call advances the state.
  package mutating func next() -> Action {
    while true {
      if case .broken = phase {
        cancelWork()
        return popExchange().map(Action.record) ?? .reset
      }
      if let content = toCode.take() { return .code(content) }
      if !output.isEmpty { return .write }
      if uncoded != nil { return .wait }
      if isAnswered, let exchange = popExchange() { return .record(exchange) }
      switch phase {
      case .head:
        if let action = continueHead() { return action }
      case .body:
        if let action = continueBody() { return action }
      case .waiting, .streaming:
        guard isAskDue else { return .wait }
        askLateAnswer()
      case .choosing, .handling: preconditionFailure("the owner was asked and has not answered")
      case .finishing:
        if hasPeerClosed && inputStart == input.count {
          phase = .closed
          continue
        }
        enter(.lingering)
        dropInput()
        return .shutdownWrite
      case .lingering:
        guard hasPeerClosed || phaseBytes > limits.maxLingerBytes else { return .read }
        phase = .closed
      case .closed:
        cancelWork()
        return popExchange().map(Action.record) ?? .close
      case .broken: continue
      }
    }
  }

  /// Enters a phase and resets its measurements.
  mutating func enter(_ phase: Phase) {
    self.phase = phase
    phaseStart = now.milliseconds
    lastProgress = now.milliseconds
    phaseBytes = 0
  }

  /// Discards the input.
  mutating func dropInput() {
    input = []
    inputStart = 0
  }
}
