/// One HTTP/1 connection as a state machine without hands: it is told what happened and says what
/// to do next, and neither reads a clock nor touches a socket.
///
/// The owner reports each event (`receive`, `peerClosed`, `answer`, `wrote`, `expire`, `drain`) and
/// then carries out ``next()`` until it says `read` or `wait` and there is nothing to read. One
/// request is in hand at a time: the next one is not parsed, let alone handled, before the answer
/// is written out. That keeps pipelined answers in order and makes a client that sends without
/// reading wait, with no more than one answer and one read's worth of bytes held for it.
public struct ConnectionState: Sendable {
  /// What the owner is to do.
  public enum Action: Sendable {
    /// Handle the request, and give the response to ``ConnectionState/answer(_:now:)``, at once or
    /// later.
    case handle(Request)
    /// Send of ``ConnectionState/unwritten`` what the peer takes; report `wrote`.
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
    /// Inside the content of the request whose head is there.
    case body
    /// The owner has the request.
    case handling
    /// The last answer is given; the sending side is shut down once it is written.
    case finishing
    /// Reading and dropping, so that the peer gets the last answer.
    case lingering
    case closed
    case broken
  }

  let limits: Limits
  let hosts: HostRule
  var now: Moment
  var phase = Phase.head
  /// When the phase began; for the head phase, when its first byte came, if one has.
  var phaseStart: Int
  /// When something last arrived, or was taken by the peer.
  var lastProgress: Int
  /// Bytes read since the phase began, to measure a rate.
  var phaseBytes = 0
  var hasPeerClosed = false
  var isDraining = false
  var requestCount = 0

  var input: [UInt8] = []
  /// The first byte of `input` that is not used up.
  var inputStart = 0
  var parser: RequestParser
  /// The head of the request whose content is being read.
  var head: RequestHead?
  var decoder: ChunkedDecoder
  var body: [UInt8] = []
  /// How the answer to the request in hand is to be written.
  var form = ResponseSerializer.Form()

  var output: [UInt8] = []
  /// The first byte of `output` that is not written.
  var outputStart = 0
  /// When writing began.
  var outputBegin = 0

  /// A connection that was just accepted.
  ///
  /// - Parameters:
  ///   - limits: What it may ask.
  ///   - hosts: Which hosts it may name.
  ///   - now: The time.
  public init(limits: Limits, hosts: HostRule, now: Moment) {
    self.limits = limits
    self.hosts = hosts
    self.now = now
    phaseStart = now.milliseconds
    lastProgress = now.milliseconds
    parser = RequestParser(limits: limits)
    decoder = ChunkedDecoder(limits: limits)
  }

  /// The bytes to send.
  public var unwritten: ArraySlice<UInt8> { output[outputStart...] }

  /// Whether no request is in hand and nothing of one has come, so that closing loses nothing.
  public var isIdle: Bool {
    guard case .head = phase else { return false }
    return !parser.hasBegun && inputStart == input.count && output.isEmpty
  }

  /// Whether it is kept open after an answer and nothing of another request has come.
  public var isKeptIdle: Bool { isIdle && requestCount > 0 }

  /// Whether the owner has a request that is not answered.
  public var isHandling: Bool {
    if case .handling = phase { true } else { false }
  }

  /// What to do next.
  ///
  /// Asking moves the state on: what it says is to be done.
  public mutating func next() -> Action {
    while true {
      if case .broken = phase { return .reset }
      if outputStart < output.count { return .write }
      switch phase {
      case .head:
        if let action = continueHead() { return action }
      case .body:
        if let action = continueBody() { return action }
      case .handling: return .wait
      case .finishing:
        if hasPeerClosed && inputStart == input.count {
          phase = .closed
          continue
        }
        enter(.lingering)
        dropInput()
        return .shutdownWrite
      case .lingering:
        guard hasPeerClosed || phaseBytes > limits.lingerBytesMax else { return .read }
        phase = .closed
      case .closed: return .close
      case .broken: return .reset
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
