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
      deadline: deadline
    )
  }

  /// How many bytes are held: of what came and is not answered, and of answers not yet sent.
  ///
  /// Content that goes to a ``BodyReceiver`` is its own affair, unless it collects it. Asked of
  /// one's own state only, as ``standing()`` is.
  public var heldBytes: Int {
    mutating get {
      let received = receiver?.heldBytes ?? 0
      return input.count - inputStart + body.count + received + bytesInHand + output.count
    }
  }

  /// How many bytes would be free if what is under way were given up: an answer of which the peer
  /// has taken nothing for so long, or a request that has been coming for so long, whole or not.
  ///
  /// Asked of one's own state only, as ``standing()`` is.
  public mutating func reclaimableBytes(afterMilliseconds milliseconds: Int, now: Moment) -> Int {
    let time = now.milliseconds - milliseconds
    if !output.isEmpty {
      let isStalled = max(lastProgress, output.begin) <= time
      return isStalled ? output.count : 0
    }
    return isComing && phaseStart <= time ? heldBytes : 0
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
  /// - Precondition: ``reclaimableBytes(afterMilliseconds:now:)`` are some, after any time.
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
