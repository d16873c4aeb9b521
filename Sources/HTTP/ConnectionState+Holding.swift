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
        - outputStart + outputContent.count
    }
  }

  /// How many bytes of an answer the peer leaves untaken, if it has taken none for so long.
  public func stalledBytes(forMilliseconds milliseconds: Int, now: Moment) -> Int {
    let isStalled = max(lastProgress, outputBegin) + milliseconds <= now.milliseconds
    return isStalled ? output.count - outputStart + outputContent.count : 0
  }

  /// The length of the content of the request in hand, where it was announced; else 0.
  public var announcedBytes: Int {
    guard case .length(let length) = head?.framing else { return 0 }
    return length
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

  /// There is no room for the rest of the content that is being collected.
  ///
  /// - Precondition: ``isCollecting``.
  public mutating func giveUpCollecting(with response: Response, now: Moment) {
    precondition(isCollecting, "no content is being collected")
    self.now = now
    refuse(with: response)
  }
}
