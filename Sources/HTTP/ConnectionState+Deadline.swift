extension ConnectionState {
  /// When ``expire(now:)`` has something to do, in the milliseconds of ``Moment``; nil if never.
  ///
  /// Asked of one's own state only, as ``standing()`` is.
  public var deadline: Int? {
    mutating get {
      if outputStart < output.count {
        let stalled = max(lastProgress, outputBegin) + limits.writeStallMilliseconds
        let allowed = outputStart * 1_000 / max(limits.minAnswerBytesPerSecond, 1)
        return min(stalled, outputBegin + limits.writeStallMilliseconds + allowed)
      }
      switch phase {
      case .head:
        let isFresh = requestCount == 0 || parser.hasBegun
        let timeout =
          isFresh ? limits.headerTimeoutMilliseconds : limits.idleTimeoutMilliseconds
        return phaseStart + timeout
      case .body:
        let allowed = phaseBytes * 1_000 / max(limits.minBodyBytesPerSecond, 1)
        let slow = phaseStart + limits.bodyTimeoutMilliseconds + allowed
        return min(lastProgress + limits.bodyTimeoutMilliseconds, slow)
      case .waiting: return askTime ?? phaseStart + limits.handlerTimeoutMilliseconds
      case .streaming: return askTime
      case .lingering: return phaseStart + limits.lingerMilliseconds
      case .choosing, .handling, .finishing, .closed, .broken: return nil
      }
    }
  }

  /// Time has passed.
  ///
  /// Does nothing before the ``deadline``.
  public mutating func expire(now: Moment) {
    self.now = now
    guard let deadline, deadline <= now.milliseconds else { return }
    if outputStart < output.count {
      phase = .broken
      isAnswered = false
      return
    }
    switch phase {
    case .head where parser.hasBegun:
      noteRefusedHead()
      refuse(.headTimeout, isHead: false)
    case .body: refuse(.bodyTimeout, isHead: form.isHead)
    case .waiting where askTime == nil: giveUpWaiting()
    case .waiting, .streaming: isAskDue = true
    default: phase = .closed
    }
  }
}
