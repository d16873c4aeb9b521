extension ConnectionState {
  /// Requests a call of the deferred answer's ``LateAnswer/next(now:)``.
  ///
  /// Does nothing if there is none, because a waker may be used too late.
  package mutating func wake(now: Moment) {
    self.now = now
    isAskDue = true
  }

  /// Records that the peer has shut down its sending side; some input may still be unread.
  ///
  /// It does not cancel a deferred answer: see ``LateAnswer``. The client may wait for the
  /// response, or it may be gone. So it is sent an interim response, which the system of a client
  /// that is gone answers with a reset.
  package mutating func peerFinished(now: Moment) {
    self.now = now
    hasPeerFinished = true
    lateAnswer?.clientFinished()
    isAskDue = true
  }

  /// Starts a deferred answer.
  mutating func begin(_ answer: any LateAnswer, _ waker: Waker) {
    lateAnswer = answer
    isAskDue = true
    askTime = nil
    enter(.waiting)
    answer.start(waker)
    if hasPeerFinished { answer.clientFinished() }
    if isDraining { answer.drain() }
  }

  /// Asks the deferred answer for its next step and carries it out.
  mutating func askLateAnswer() {
    guard let lateAnswer else { preconditionFailure("there is no late answer to ask") }
    // The time that the answer chose to wait does not count towards the handler's timeout.
    if askTime != nil, phase == .waiting { phaseStart = now.milliseconds }
    askTime = nil
    isAnswerNear = false
    switch (lateAnswer.next(now: now), phase) {
    case (.answer(let response), .waiting):
      self.lateAnswer = nil
      write(response)
    case (.begin(let response), .waiting): beginStream(response)
    case (.chunk(let bytes), .streaming):
      if form.isCoded { return code(piece: bytes, isLast: false) }
      ResponseSerializer.appendChunk(bytes, as: form, to: &output.bytes)
      output.begin = now.milliseconds
    case (.wait(let milliseconds), _):
      isAskDue = false
      // At least one millisecond, so that time passes between two calls.
      askTime = milliseconds.map { now.milliseconds + max($0, 1) }
      probePeer()
    case (.waitBriefly, _):
      isAskDue = false
      isAnswerNear = true
    case (.end, .streaming):
      self.lateAnswer = nil
      if form.isCoded { code(piece: [], isLast: true) } else { finishStream() }
    case (.abort, _):
      self.lateAnswer = nil
      phase = .broken
    default: preconditionFailure("a late answer begins once, goes on after that, or answers whole")
    }
  }

  /// Sends one interim response (RFC 9110, 15.2) to a client that has shut down its sending side.
  private mutating func probePeer() {
    guard hasPeerFinished, !hasProbedPeer, phase == .waiting, form.version == .http11 else {
      return
    }
    hasProbedPeer = true
    output.bytes += ResponseSerializer.processingLine
    output.begin = now.milliseconds
  }

  private mutating func beginStream(_ response: Response) {
    form.closes = form.closes || isDraining || form.version == .http10
    bytesInHand = 0
    chooseCoding(of: response, isStream: true)
    form.hasLength = !form.isCoded && response.relayedLength != nil
    ResponseSerializer.appendBeginning(of: response, as: form, date: now.date, to: &output.bytes)
    output.begin = now.milliseconds
    record(response)
    guard !form.isHead, !response.status.excludesContent else {
      cancelWork()
      return endStream()
    }
    enter(.streaming)
    if form.isCoded, !response.body.isEmpty { code(piece: response.body, isLast: false) }
  }

  /// Ends the content of a stream.
  mutating func finishStream() {
    ResponseSerializer.appendEnd(as: form, to: &output.bytes)
    endStream()
  }

  private mutating func endStream() {
    isAnswered = true
    output.begin = now.milliseconds
    // Draining may have started after the head was sent.
    enter(form.closes || isDraining ? .finishing : .head)
  }

  /// Responds with 503 if the deferred answer can be withdrawn; otherwise waits for it again.
  mutating func withdrawWork() {
    guard lateAnswer?.withdraw() ?? true else {
      phaseStart = now.milliseconds
      return
    }
    cancelWork()
    write(Problem.overloaded(retryAfter: 1).response)
  }

  /// Cancels the deferred answer and the body receiver, if any.
  mutating func cancelWork() {
    isAnswerNear = false
    lateAnswer?.cancel()
    lateAnswer = nil
    receiver?.cancel()
    receiver = nil
  }
}
