extension ConnectionState {
  /// The time that a new connection has to send its first request while the service stops.
  ///
  /// A client that has just connected is about to send a request. If the connection were closed at
  /// once, it could not tell if the request was processed.
  static let firstRequestMilliseconds = 1_000

  /// The time of the next ``expire(now:)``, in milliseconds of ``Moment``; nil if there is none.
  ///
  /// Mutating only for exclusive access, so that it is read without a copy of the state.
  public var deadline: Int? {
    mutating get {
      if !output.isEmpty {
        let stalled = max(lastProgress, output.begin) + limits.writeStallMilliseconds
        let allowed = Self.time(for: output.written, at: limits.minAnswerBytesPerSecond)
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
        let allowed = Self.time(for: phaseBytes, at: limits.minBodyBytesPerSecond)
        return min(paused, phaseStart + limits.bodyTimeoutMilliseconds + allowed)
      case .waiting: return askTime ?? phaseStart + limits.handlerTimeoutMilliseconds
      case .streaming: return askTime
      case .lingering: return phaseStart + limits.lingerMilliseconds
      case .choosing, .handling, .finishing, .closed, .broken: return nil
      }
    }
  }

  /// Returns the milliseconds that `bytes` may take at a minimum rate; without limit if it is 0.
  private static func time(for bytes: Int, at bytesPerSecond: Int) -> Int {
    bytesPerSecond > 0 ? bytes * 1_000 / bytesPerSecond : 1 << 53
  }

  /// Applies the ``deadline`` if it has passed; else does nothing.
  public mutating func expire(now: Moment) {
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
