/// One HTTP/1 connection as a state machine without hands: it is told what happened and says what
/// to do next, and neither reads a clock nor touches a socket.
///
/// The owner reports each event (`receive`, `peerFinished`, `peerClosed`, `wrote`, `wake`,
/// `expire`, `drain`) and then carries out ``next()`` until it says `read` or `wait` and there is
/// nothing to read. One request is in hand at a time: the next one is not read on, let alone
/// handled, before the answer is written out. That keeps pipelined answers in order and makes a
/// client that sends without reading wait, with no more than one answer (of a stream: one piece)
/// and one read's worth of bytes held for it.
public struct ConnectionState: Sendable {
  /// What the owner is to do.
  public enum Action: Sendable {
    /// Say with ``ConnectionState/choose(_:now:)`` what takes the content of this request, of which
    /// only the head is there.
    case choose(Request)
    /// Give ``ConnectionState/reply(_:now:waker:)`` the reply to the request.
    case handle(Request)
    /// Code this as gzip, and give ``ConnectionState/coded(_:now:)`` what becomes of it, now or
    /// after some time.
    case code(UncodedContent)
    /// Take note of an exchange that is over.
    case record(ExchangeRecord)
    /// Finish the receiver, and give ``ConnectionState/reply(_:now:waker:)`` its reply.
    case finish(any BodyReceiver)
    /// Send of ``ConnectionState/unwritten`` and of ``ConnectionState/unwrittenContent`` behind it
    /// what the peer takes; report `wrote`.
    case write
    /// Read when there is something to read; report `receive` or `peerClosed`.
    case read
    /// Nothing before the next event.
    case wait
    /// Shut down the sending side and go on.
    case shutdownWrite
    /// Close; the state is spent.
    case close
    /// Close with a reset, because the peer takes nothing; the state is spent.
    case reset
  }

  /// Where in the life of a request the connection is.
  enum Phase: Sendable {
    /// Between requests or inside a head.
    case head
    /// The owner is asked what takes the content of the request whose head is there.
    case choosing
    /// Inside the content of the request whose head is there.
    case body
    /// The owner is asked for the reply to the request.
    case handling
    /// A late answer has the request and has said nothing yet.
    case waiting
    /// A late answer has begun a stream.
    case streaming
    /// The last answer is given; the sending side is shut down once it is written.
    case finishing
    /// Reading and dropping, so that the peer gets the last answer.
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
  /// When the phase began; for the head phase, when its first byte came, if one has.
  var phaseStart: Int
  /// When something last arrived, or was taken by the peer.
  var lastProgress: Int
  /// Bytes read since the phase began, to measure a rate.
  var phaseBytes = 0
  /// Whether the peer has shut down its sending side; there may still be something to read.
  var hasPeerFinished = false
  /// Whether all that the peer sent is read.
  var hasPeerClosed = false
  var isDraining = false
  var requestCount = 0

  var input: [UInt8] = []
  /// The first byte of `input` that is not used up.
  var inputStart = 0
  var parser: RequestParser
  /// The head of the request whose content is being read.
  var head: RequestHead?
  /// What the request in hand is refused for, if for anything, although its head is well-formed.
  var refusal: RequestRejection?
  var decoder: ChunkedDecoder
  /// How many bytes of content were taken.
  var contentCount = 0
  /// The content, or what of it the receiver has not seen.
  var body: [UInt8] = []
  /// The size of the content of the request that is being answered.
  var bytesInHand = 0
  /// What takes the content as it comes, if it is not collected.
  var receiver: (any BodyReceiver)?
  /// How the answer to the request in hand is to be written.
  var form = ResponseSerializer.Form()

  /// What answers the request in hand, if that takes time.
  var lateAnswer: (any LateAnswer)?
  /// Whether the late answer is to be asked, once everything given before is written.
  var isAskDue = false
  /// When the late answer wants to be asked.
  var askTime: Int?
  /// Whether the late answer said that it will come within microseconds.
  public internal(set) var isAnswerNear = false

  /// Which codings the client of the request in hand takes.
  var codings = AcceptedCodings()
  /// What the owner is to be asked to code.
  var toCode: UncodedContent?
  /// What waits for the owner to have coded its content.
  var uncoded: Uncoded?
  /// Whether a piece of the stream under way was coded.
  var hasCodedPiece = false

  var ids: RequestIDs
  /// What is known of the exchange under way, if one is.
  var exchange: ExchangeRecord?
  /// Whether all of its answer is in the output.
  var isAnswered = false

  var output = Output()

  /// A connection that was just accepted.
  ///
  /// - Parameters:
  ///   - limits: What it may ask.
  ///   - hosts: Which hosts it may name.
  ///   - router: Where its requests go to.
  ///   - crossOrigin: What pages of other origins may see of its answers; nil for nothing.
  ///   - codingPolicy: Which of its answers are coded; nil for none.
  ///   - ids: Names its requests.
  ///   - now: The time.
  public init(
    limits: Limits,
    hosts: HostRule,
    router: Router,
    crossOrigin: CrossOriginPolicy? = nil,
    codingPolicy: CodingPolicy? = nil,
    ids: RequestIDs,
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
    parser = RequestParser(limits: limits, router: router)
    decoder = ChunkedDecoder(limits: limits, maxContentBytes: limits.maxBodyBytes)
  }

  /// Bytes to send; there may be more once they are written.
  ///
  /// Asked of one's own state only, as ``standing()`` is.
  public var unwritten: ArraySlice<UInt8> { mutating get { output.bytes[output.written...] } }

  /// What is to be sent behind ``unwritten``, at once with it or later.
  public var unwrittenContent: [UInt8] { mutating get { output.content } }

  /// Whether no request is in hand and nothing of one has come, so that closing loses nothing.
  ///
  /// Asked of one's own state only, as ``standing()`` is.
  public var isIdle: Bool {
    mutating get {
      guard case .head = phase else { return false }
      return !parser.hasBegun && inputStart == input.count && output.isEmpty
    }
  }

  /// Whether nothing more will be sent, and what comes is read only for the last answer to arrive.
  ///
  /// Asked of one's own state only, as ``standing()`` is.
  public var isLingering: Bool {
    mutating get {
      guard case .lingering = phase else { return false }
      return true
    }
  }

  /// Whether it is kept open after an answer and nothing of another request has come.
  ///
  /// Asked of one's own state only, as ``standing()`` is.
  public var isKeptIdle: Bool { mutating get { isIdle && requestCount > 0 } }

  /// What to do next.
  ///
  /// Asking moves the state on: what it says is to be done.
  public mutating func next() -> Action {
    while true {
      if case .broken = phase {
        cancelWork()
        return takeExchange().map(Action.record) ?? .reset
      }
      if let content = toCode.take() { return .code(content) }
      if !output.isEmpty { return .write }
      if uncoded != nil { return .wait }
      if isAnswered, let exchange = takeExchange() { return .record(exchange) }
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
        return takeExchange().map(Action.record) ?? .close
      case .broken: continue
      }
    }
  }

  /// Moves to a phase and begins to measure it.
  mutating func enter(_ phase: Phase) {
    self.phase = phase
    phaseStart = now.milliseconds
    lastProgress = now.milliseconds
    phaseBytes = 0
  }

  /// Forgets what was read.
  mutating func dropInput() {
    input = []
    inputStart = 0
  }
}
