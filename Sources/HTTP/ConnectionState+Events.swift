extension ConnectionState {
  /// Bytes arrived.
  ///
  /// - Parameters:
  ///   - bytes: The bytes, at least one.
  ///   - now: The time.
  public mutating func receive(_ bytes: ArraySlice<UInt8>, now: Moment) {
    self.now = now
    lastProgress = now.milliseconds
    phaseBytes += bytes.count
    if case .lingering = phase { return }
    if inputStart == input.count {
      input.removeAll(keepingCapacity: input.capacity <= limits.bufferBytesKept)
      restartInput()
    } else if inputStart > 0, !parser.hasBegun {
      input.removeSubrange(..<inputStart)
      restartInput()
    }
    input.append(contentsOf: bytes)
  }

  /// The peer has shut down its sending side, and all that it sent is read.
  ///
  /// What it asked before is still answered.
  public mutating func peerClosed(now: Moment) {
    self.now = now
    hasPeerClosed = true
  }

  /// The owner has the reply to the request it was given.
  ///
  /// - Precondition: ``next()`` has asked for it.
  /// - Parameters:
  ///   - reply: The reply.
  ///   - now: The time.
  ///   - waker: What has the owner report `wake`; made if the answer takes time.
  public mutating func reply(_ reply: Reply, now: Moment, waker: @autoclosure () -> Waker) {
    guard case .handling = phase else { preconditionFailure("a reply without a request") }
    self.now = now
    switch reply {
    case .response(let response): write(response)
    case .later(let answer): begin(answer, waker())
    }
  }

  /// The peer took bytes.
  ///
  /// - Parameters:
  ///   - count: How many of ``unwritten`` and ``unwrittenContent``.
  ///   - now: The time.
  public mutating func wrote(_ count: Int, now: Moment) {
    self.now = now
    lastProgress = now.milliseconds
    exchange?.answerBytes += count
    output.wrote(count, at: now.milliseconds, keeping: limits.bufferBytesKept)
    guard output.isEmpty else { return }
    phaseStart = now.milliseconds
    phaseBytes = 0
  }

  /// Nothing can be said to the peer any more: reading or writing failed, or the owner closes.
  public mutating func abort() {
    cancelWork()
    noteBrokenHead()
    toCode = nil
    uncoded = nil
    if !output.isEmpty { isAnswered = false }
    output.drop()
    phase = .closed
  }

  /// The connection is not served: it gets this response and is closed.
  ///
  /// Nothing must have happened on it yet.
  public mutating func turnAway(with response: Response) {
    precondition(isIdle && requestCount == 0, "only a new connection is turned away")
    openForm(.made(ids.next()))
    form.closes = true
    write(response)
  }

  /// The connection is to end as soon as nothing is lost by it; answers from now on say so.
  public mutating func drain(now: Moment) {
    self.now = now
    isDraining = true
    lateAnswer?.drain()
    isAskDue = true
  }

  /// The input is empty or begins with a new request: offsets count from its start again.
  private mutating func restartInput() {
    inputStart = 0
    if !parser.hasBegun { parser.move(to: 0) }
  }
}
