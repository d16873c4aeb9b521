extension ConnectionState {
  /// Accepts bytes from the peer.
  ///
  /// - Parameters:
  ///   - bytes: The bytes, at least one.
  ///   - now: The time.
  package mutating func receive(_ bytes: ArraySlice<UInt8>, now: Moment) {
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

  /// Records that the peer has shut down its sending side and that all it sent has been read.
  ///
  /// Requests received before are still answered.
  package mutating func peerClosed(now: Moment) {
    self.now = now
    hasPeerClosed = true
  }

  /// Accepts the reply to a request.
  ///
  /// - Precondition: ``next()`` has asked for it.
  /// - Parameters:
  ///   - reply: The reply.
  ///   - now: The time.
  ///   - waker: Makes the owner call ``wake(now:)``. It is evaluated only for a deferred reply.
  package mutating func reply(_ reply: Reply, now: Moment, waker: @autoclosure () -> Waker) {
    guard case .handling = phase else { preconditionFailure("a reply without a request") }
    self.now = now
    switch reply {
    case .response(let response): write(response)
    case .later(let answer): begin(answer, waker())
    }
  }

  /// Records that the socket accepted bytes.
  ///
  /// - Parameters:
  ///   - count: The number of bytes of ``unwritten`` and ``unwrittenContent``.
  ///   - now: The time.
  package mutating func wrote(_ count: Int, now: Moment) {
    self.now = now
    lastProgress = now.milliseconds
    exchange?.answerBytes += count
    output.wrote(count, at: now.milliseconds, keeping: limits.bufferBytesKept)
    guard output.isEmpty else { return }
    phaseStart = now.milliseconds
    phaseBytes = 0
  }

  /// Ends the connection without another byte: reading or writing failed, or the owner closes it.
  package mutating func abort() {
    cancelWork()
    recordBrokenHead()
    toCode = nil
    uncoded = nil
    if !output.isEmpty { isAnswered = false }
    output.drop()
    phase = .closed
  }

  /// Sends a response and closes the connection, without reading a request.
  ///
  /// - Precondition: Nothing was received or sent yet.
  package mutating func turnAway(with response: Response) {
    precondition(isIdle && requestCount == 0, "only a new connection is turned away")
    openForm(.made(ids.next()))
    form.closes = true
    write(response)
  }

  /// Closes the connection as soon as no request can be lost by it.
  ///
  /// Until then, each response announces the close.
  package mutating func drain(now: Moment) {
    self.now = now
    isDraining = true
    lateAnswer?.drain()
    isAskDue = true
  }

  /// Resets the offsets, because the input is empty or begins with a new request.
  private mutating func restartInput() {
    inputStart = 0
    if !parser.hasBegun { parser.move(to: 0) }
  }
}

// Times that run out.
extension ConnectionState {
  /// The time that a new connection has to send its first request while the service stops.
  ///
  /// A client that has just connected is about to send a request. If the connection were closed at
  /// once, it could not tell if the request was processed.
  static let firstRequestMilliseconds = 1_000

  /// The time of the next ``expire(now:)``, in milliseconds of ``Moment``; nil if there is none.
  ///
  /// Mutating only for exclusive access, so that it is read without a copy of the state.
  package var deadline: Int? {
    mutating get {
      if !output.isEmpty {
        let stalled = max(lastProgress, output.begin) + limits.writeStallMilliseconds
        let allowed = Self.time(for: output.written, at: limits.minBytesPerSecond)
        return min(stalled, output.begin + limits.writeStallMilliseconds + allowed)
      }
      switch phase {
      case .head:
        let isFresh = requestCount == 0 || parser.hasBegun
        let timeout =
          isFresh ? limits.headerTimeoutMilliseconds : limits.idleTimeoutMilliseconds
        let isClosing = isDraining && !parser.hasBegun
        return phaseStart + (isClosing ? min(timeout, Self.firstRequestMilliseconds) : timeout)
      case .body where pauseStart != nil: return nil
      case .body:
        let paused = lastProgress + limits.bodyTimeoutMilliseconds
        let allowed = Self.time(for: phaseBytes, at: limits.minBytesPerSecond)
        return min(paused, phaseStart + limits.bodyTimeoutMilliseconds + allowed)
      case .waiting: return askTime ?? phaseStart + limits.handlerTimeoutMilliseconds
      case .streaming: return askTime
      case .lingering: return phaseStart + Self.lingerMilliseconds
      case .choosing, .handling, .finishing, .closed, .broken: return nil
      }
    }
  }

  /// The time that a closing connection is still read, so that the client gets the last response
  /// instead of a reset (RFC 9112, 9.6).
  private static let lingerMilliseconds = 2_000

  /// Returns the milliseconds that `bytes` may take at a minimum rate; without limit if it is 0.
  private static func time(for bytes: Int, at bytesPerSecond: Int) -> Int {
    bytesPerSecond > 0 ? bytes * 1_000 / bytesPerSecond : 1 << 53
  }

  /// Applies the ``deadline`` if it has passed; else does nothing.
  package mutating func expire(now: Moment) {
    self.now = now
    guard let deadline, deadline <= now.milliseconds else { return }
    if !output.isEmpty {
      phase = .broken
      isAnswered = false
      return
    }
    switch phase {
    case .head where parser.hasBegun:
      recordRefusedHead()
      refuse(.headTimeout, isHead: parser.method == .head)
    case .body: refuse(.bodyTimeout, isHead: form.isHead)
    case .waiting where askTime == nil: withdrawWork()
    case .waiting, .streaming: isAskDue = true
    default: phase = .closed
    }
  }
}
