extension ConnectionState {
  /// The late answer was woken.
  ///
  /// Does nothing if there is none, as a waker may be used late.
  public mutating func wake(now: Moment) {
    self.now = now
    isAskDue = true
  }

  /// The peer has shut down its sending side; there may still be something to read.
  ///
  /// That alone ends no late answer: see ``LateAnswer``.
  public mutating func peerFinished(now: Moment) {
    self.now = now
    hasPeerFinished = true
    lateAnswer?.clientFinished()
    isAskDue = true
  }

  /// Begins to wait for a late answer.
  mutating func begin(_ answer: any LateAnswer, _ waker: Waker) {
    lateAnswer = answer
    isAskDue = true
    askTime = nil
    enter(.waiting)
    answer.start(waker)
    if hasPeerFinished { answer.clientFinished() }
    if isDraining { answer.drain() }
  }

  /// Asks the late answer what comes next, and has it done.
  mutating func askLateAnswer() {
    guard let lateAnswer else { preconditionFailure("there is no late answer to ask") }
    // While it waited of its own will nobody worked at it.
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
      // At least one, so that time passes between asking and asking again.
      askTime = milliseconds.map { now.milliseconds + max($0, 1) }
    case (.waitBriefly, _):
      isAskDue = false
      isAnswerNear = true
    case (.end, .streaming):
      self.lateAnswer = nil
      if form.isCoded { code(piece: [], isLast: true) } else { finishStream() }
    default: preconditionFailure("a late answer begins once, goes on after that, or answers whole")
    }
  }

  private mutating func beginStream(_ response: Response) {
    form.closes = form.closes || isDraining || form.version == .http10
    bytesInHand = 0
    settleCoding(of: response, isStream: true)
    ResponseSerializer.appendBeginning(of: response, as: form, date: now.date, to: &output.bytes)
    output.begin = now.milliseconds
    exchange?.note(response.status)
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
    // The head may have promised otherwise when nobody wanted the server to stop yet.
    enter(form.closes || isDraining ? .finishing : .head)
  }

  /// Answers in place of a late answer that says nothing, unless it must be waited for.
  mutating func withdrawWork() {
    guard lateAnswer?.withdraw() ?? true else {
      phaseStart = now.milliseconds
      return
    }
    cancelWork()
    write(Problem.overloaded(retryAfter: 1).response)
  }

  /// Lets go of what works at the request in hand, if anything does.
  mutating func cancelWork() {
    isAnswerNear = false
    lateAnswer?.cancel()
    lateAnswer = nil
    receiver?.cancel()
    receiver = nil
  }
}
