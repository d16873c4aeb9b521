// What is held in memory for a peer, for whoever bounds it over all connections.
extension ConnectionState {
  /// How a connection stands when its turn is over.
  public struct Standing: Sendable {
    /// See ``ConnectionState/isInExchange``.
    public let isInExchange: Bool
    /// See ``ConnectionState/isAnswerNear``.
    public let isAnswerNear: Bool
    /// See ``ConnectionState/heldBytes``.
    public let heldBytes: Int
    /// See ``ConnectionState/answerBytes``.
    public let answerBytes: Int
    /// See ``ConnectionState/deadline``.
    public let deadline: Int?
  }

  /// How the connection stands.
  ///
  /// Nothing changes; but a state is large, and who holds it to change it can be asked without a
  /// copy.
  public mutating func standing() -> Standing {
    Standing(
      isInExchange: isInExchange,
      isAnswerNear: isAnswerNear,
      heldBytes: heldBytes,
      answerBytes: answerBytes,
      deadline: deadline
    )
  }

  /// The bytes that are held: of what came and is not answered, and of answers not yet sent.
  ///
  /// An answer is held whole until the last of it is written. Content that goes to a
  /// ``BodyReceiver`` is its own affair, unless it collects it. Asked of one's own state only, as
  /// ``standing()`` is.
  public var heldBytes: Int {
    mutating get {
      let received = receiver?.heldBytes ?? 0
      return input.count - inputStart + body.count + received + bytesInHand + output.heldBytes
    }
  }

  /// The bytes of ``heldBytes`` that are an answer's.
  ///
  /// Asked of one's own state only, as ``standing()`` is.
  public var answerBytes: Int { mutating get { output.heldBytes } }

  /// The bytes freed by giving up something under way, and how slow that is.
  public struct Reclaimable: Comparable, Sendable {
    /// The bytes that would be free; 0 if nothing may be given up.
    public var bytes = 0
    /// The bytes a second that the peer takes of an answer; 0 if it has stalled, and for a request.
    var rate = 0
    /// The moment when something was last taken or received.
    var lastProgress = 0

    /// Orders the slowest first, of those the ones that stalled first, of those the largest.
    public static func < (left: Reclaimable, right: Reclaimable) -> Bool {
      (left.rate, left.lastProgress, -left.bytes) < (right.rate, right.lastProgress, -right.bytes)
    }
  }

  /// Finds what would be free if what is under way were given up: an answer that the peer takes
  /// slowly for so long, or a request that has been coming for so long, whole or not.
  ///
  /// Asked of one's own state only, as ``standing()`` is.
  ///
  /// - Parameters:
  ///   - milliseconds: The time.
  ///   - rate: An answer of which the peer takes so many bytes a second is not slow.
  ///   - now: The time now.
  /// - Returns: What would be free.
  public mutating func reclaimable(
    afterMilliseconds milliseconds: Int,
    slowerThan rate: Int,
    now: Moment
  ) -> Reclaimable {
    let time = now.milliseconds - milliseconds
    if !output.isEmpty {
      guard output.begin <= time else { return Reclaimable() }
      let progress = max(lastProgress, output.begin)
      let elapsed = max(now.milliseconds - output.begin, 1)
      let taken = progress <= time ? 0 : output.written * 1_000 / elapsed
      guard taken < rate else { return Reclaimable() }
      return Reclaimable(bytes: output.heldBytes, rate: taken, lastProgress: progress)
    }
    guard isComing, phaseStart <= time else { return Reclaimable() }
    return Reclaimable(bytes: heldBytes, lastProgress: phaseStart)
  }

  /// The bytes of a whole answer of which nothing is sent; 0 if there is none.
  ///
  /// Asked of one's own state only, as ``standing()`` is.
  public var unsentAnswerBytes: Int { mutating get { output.isUnsent ? output.heldBytes : 0 } }

  /// True if the request in hand only reads, so that any answer to it may be another.
  ///
  /// Asked of one's own state only, as ``standing()`` is.
  public var isReading: Bool {
    mutating get { exchange?.method == .get || exchange?.method == .head }
  }

  /// Gives up an answer of which nothing is sent: a request that only reads gets another one, and
  /// any other none, as it may have changed something.
  ///
  /// - Precondition: ``unsentAnswerBytes`` are some.
  public mutating func replaceAnswer(with response: Response, now: Moment) {
    self.now = now
    precondition(output.isUnsent, "the answer is on its way")
    output.drop()
    isAnswered = false
    guard isReading else { return phase = .broken }
    write(response)
  }

  /// The length of the content of the request in hand, where it was announced; else 0.
  ///
  /// Asked of one's own state only, as ``standing()`` is.
  public var announcedBytes: Int {
    mutating get {
      guard case .length(let length) = head?.framing else { return 0 }
      return length
    }
  }

  /// Whether content of the request in hand is being collected.
  ///
  /// Asked of one's own state only, as ``standing()`` is.
  public var isCollecting: Bool {
    mutating get {
      guard case .body = phase else { return false }
      guard let receiver else { return true }
      return receiver.heldBytes != nil
    }
  }

  /// Whether the head of a request is read, or none is in hand.
  ///
  /// Asked of one's own state only, as ``standing()`` is.
  public var isInHead: Bool {
    mutating get {
      if case .head = phase { true } else { false }
    }
  }

  /// Whether a part of a request is here, and is kept until the rest comes.
  private var isComing: Bool {
    mutating get {
      guard isInHead else { return isCollecting }
      return parser.hasBegun || inputStart < input.count
    }
  }

  /// Gives up what is under way, for want of room: the request that is coming gets an answer, and
  /// where an answer is left untaken, nothing more can be said.
  ///
  /// - Precondition: ``reclaimable(afterMilliseconds:slowerThan:now:)`` is something.
  public mutating func giveUp(with response: Response, now: Moment) {
    self.now = now
    if !output.isEmpty {
      output.drop()
      phase = .broken
      isAnswered = false
      return
    }
    precondition(isComing, "no request is coming")
    if isInHead {
      // A CR alone may begin an empty line, and is not taken for the first byte of a request.
      if !isInExchange { openExchange() }
      noteRefusedHead()
      form.isHead = parser.method == .head
    }
    refuse(with: response)
    dropInput()
  }
}
