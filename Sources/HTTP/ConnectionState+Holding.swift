// The memory held for a peer, for the owner that limits it over all connections.
extension ConnectionState {
  /// A snapshot of a connection after it was served.
  package struct Snapshot: Sendable {
    /// See ``ConnectionState/isInExchange``.
    package let isInExchange: Bool
    /// See ``ConnectionState/isAnswerNear``.
    package let isAnswerNear: Bool
    /// See ``ConnectionState/heldBytes``.
    package let heldBytes: Int
    /// See ``ConnectionState/answerBytes``.
    package let answerBytes: Int
    /// See ``ConnectionState/deadline``.
    package let deadline: Int?
  }

  /// Returns a snapshot of the connection.
  ///
  /// Changes nothing. It is mutating so that the owner, who has exclusive access to the large
  /// state, does not copy it.
  package mutating func snapshot() -> Snapshot {
    Snapshot(
      isInExchange: isInExchange,
      isAnswerNear: isAnswerNear,
      heldBytes: heldBytes,
      answerBytes: answerBytes,
      deadline: deadline
    )
  }

  /// The bytes held for the peer: unanswered input, and responses not yet sent.
  ///
  /// A response counts until its last byte is written. Content passed to a ``BodyReceiver`` counts
  /// only if the receiver collects it. Mutating to avoid a copy; see ``snapshot()``.
  package var heldBytes: Int {
    mutating get {
      let received = receiver?.heldBytes ?? 0
      // Input that grows byte by byte has up to twice the memory of its bytes.
      let unread = input.count > inputStart ? input.capacity - inputStart : 0
      return unread + body.count + received + bytesInHand + headBytes + output.heldBytes
    }
  }

  /// The part of ``heldBytes`` that belongs to responses.
  ///
  /// Mutating to avoid a copy; see ``snapshot()``.
  package var answerBytes: Int { mutating get { output.heldBytes } }

  /// The memory that giving up current work would free, and how slow that work is.
  package struct Reclaimable: Comparable, Sendable {
    /// The bytes that would be freed; 0 if nothing may be given up.
    package var bytes = 0
    /// The rate of the response in bytes per second; 0 if it has stalled, and for a request.
    var rate = 0
    /// The time of the last progress, in milliseconds of ``Moment``.
    var lastProgress = 0

    /// Orders by rate, then by last progress, both ascending, then by size, descending.
    package static func < (left: Reclaimable, right: Reclaimable) -> Bool {
      (left.rate, left.lastProgress, -left.bytes) < (right.rate, right.lastProgress, -right.bytes)
    }
  }

  /// Returns the memory that would be freed by giving up a slow response or an incomplete request.
  ///
  /// Mutating to avoid a copy; see ``snapshot()``.
  ///
  /// - Parameters:
  ///   - milliseconds: The minimum age of the response or the request.
  ///   - rate: The rate in bytes per second from which a response does not count as slow.
  ///   - now: The time.
  /// - Returns: The memory; 0 bytes if nothing may be given up.
  package mutating func reclaimable(
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

  /// The bytes of a complete response of which nothing is sent; 0 if there is none.
  ///
  /// Mutating to avoid a copy; see ``snapshot()``.
  package var unsentAnswerBytes: Int { mutating get { output.isUnsent ? output.heldBytes : 0 } }

  /// True if the current request has changed nothing, so that its response may be replaced.
  ///
  /// Mutating to avoid a copy; see ``snapshot()``.
  package var isReading: Bool {
    mutating get {
      exchange?.method == .get || exchange?.method == .head || output.isOfReading
    }
  }

  /// Discards a response of which nothing is sent.
  ///
  /// A request that only reads gets another response. After any other request the connection is
  /// reset, because the request may have changed something.
  ///
  /// - Precondition: ``unsentAnswerBytes`` is not 0.
  package mutating func replaceAnswer(with response: Response, now: Moment) {
    self.now = now
    precondition(output.isUnsent, "the answer is on its way")
    output.drop()
    isAnswered = false
    guard isReading else { return phase = .broken }
    write(response)
  }

  /// The announced length of the current request's content in bytes; 0 if it is not announced.
  ///
  /// Mutating to avoid a copy; see ``snapshot()``.
  package var announcedBytes: Int {
    mutating get {
      guard case .length(let length) = head?.framing else { return 0 }
      return length
    }
  }

  /// True if content of the current request is being collected.
  ///
  /// Mutating to avoid a copy; see ``snapshot()``.
  package var isCollecting: Bool {
    mutating get {
      guard case .body = phase else { return false }
      guard let receiver else { return true }
      return receiver.heldBytes != nil
    }
  }

  /// True while the head of a request is read or awaited.
  ///
  /// Mutating to avoid a copy; see ``snapshot()``.
  package var isInHead: Bool {
    mutating get {
      if case .head = phase { true } else { false }
    }
  }

  /// True if a part of a request is held until the rest arrives.
  private var isComing: Bool {
    mutating get {
      guard isInHead else { return isCollecting }
      return parser.hasBegun || inputStart < input.count
    }
  }

  /// Gives up current work because memory is short.
  ///
  /// An incomplete request gets a response. If a response is being sent, the connection is reset.
  ///
  /// - Precondition: ``reclaimable(afterMilliseconds:slowerThan:now:)`` returned more than 0 bytes.
  package mutating func giveUp(with response: Response, now: Moment) {
    self.now = now
    if !output.isEmpty {
      output.drop()
      phase = .broken
      isAnswered = false
      return
    }
    precondition(isComing, "no request is coming")
    if isInHead {
      // A lone CR may start an empty line and is not counted as the first byte of a request.
      if !isInExchange { openExchange() }
      recordRefusedHead()
      form.isHead = parser.method == .head
    }
    refuse(with: response)
    dropInput()
  }
}
