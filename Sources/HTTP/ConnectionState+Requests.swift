extension ConnectionState {
  /// Parses what there is of a head.
  ///
  /// Returns nil when the state moved on.
  mutating func continueHead() -> Action? {
    if isDraining, isIdle {
      phase = .closed
      return nil
    }
    let hadBegun = parser.hasBegun
    do {
      guard let head = try parser.parse(input) else {
        if !parser.hasBegun { inputStart = parser.start }
        if !hadBegun, parser.hasBegun { phaseStart = now.milliseconds }
        return needMore()
      }
      inputStart = head.end
      return begin(head)
    } catch {
      refuse(error, isHead: parser.method == .head)
    }
    return nil
  }

  /// More bytes are needed to go on: reads, or gives up if no more will come.
  private mutating func needMore() -> Action? {
    guard hasPeerClosed else { return .read }
    phase = .closed
    return nil
  }

  /// Decides, now that a head is complete, what becomes of its content.
  private mutating func begin(_ head: RequestHead) -> Action? {
    requestCount += 1
    form = ResponseSerializer.Form()
    form.isHead = head.method == .head
    form.closes = !head.keepsAlive || requestCount >= limits.requestsPerConnectionMax
    form.announcesKeepAlive = head.version == .http10
    if head.framing == .length(0) { return handle(head, body: []) }
    if case .length(let length) = head.framing, length > limits.bodyBytesMax {
      refuse(.contentTooLarge(limit: limits.bodyBytesMax), isHead: form.isHead)
      return nil
    }
    // Whoever waits for leave to send the content gets the refusal instead, without sending it.
    if let refusal = refusal(of: head), head.expectation != .none {
      refuse(refusal, isHead: form.isHead)
      return nil
    }
    if head.expectation == .continue, inputStart == input.count {
      append(output: ResponseSerializer.continueLine)
    }
    decoder = ChunkedDecoder(limits: limits)
    self.head = head
    enter(.body)
    return nil
  }

  /// Hands a whole request to the owner, or answers it if it is refused.
  private mutating func handle(_ head: RequestHead, body: [UInt8]) -> Action? {
    parser = RequestParser(limits: limits, start: inputStart)
    enter(.handling)
    let refusal = refusal(of: head)
    guard refusal == nil, let method = head.method else {
      write((refusal ?? .unknownMethod).problem.response)
      return nil
    }
    return .handle(Request(head: head, method: method, body: body))
  }

  /// What a well-formed head is refused for, if for anything.
  ///
  /// The connection can go on after it.
  private func refusal(of head: RequestHead) -> RequestRejection? {
    if !hosts.allows(head.host) { return .misdirected }
    if head.method == nil { return .unknownMethod }
    return head.expectation == .unknown ? .unknownExpectation : nil
  }

  /// Takes what there is of the content.
  ///
  /// Returns nil when the state moved on.
  mutating func continueBody() -> Action? {
    guard let head else { preconditionFailure("content without a head") }
    do {
      guard try takeBody(head.framing) else { return needMore() }
    } catch {
      refuse(error, isHead: form.isHead)
      return nil
    }
    let content = body
    body = []
    self.head = nil
    return handle(head, body: content)
  }

  /// Moves content from the input to the body; returns whether it is complete.
  private mutating func takeBody(
    _ framing: RequestHead.Framing
  ) throws(RequestRejection) -> Bool {
    switch framing {
    case .chunked:
      return try decoder.decode(input, from: &inputStart, into: &body)
    case .length(let length):
      let count = min(length - body.count, input.count - inputStart)
      if count > 0 {
        // What is only announced costs nothing yet.
        if body.isEmpty { body.reserveCapacity(min(length, limits.bufferBytesKept)) }
        body.append(contentsOf: input[inputStart..<inputStart + count])
        inputStart += count
      }
      return body.count == length
    }
  }

  /// Answers a request that cannot be handled, and ends the connection if it must.
  mutating func refuse(_ rejection: RequestRejection, isHead: Bool) {
    form.isHead = isHead
    form.closes = true
    body = []
    head = nil
    write(rejection.problem.response)
  }

  /// Puts an answer to the request in hand into the output.
  mutating func write(_ response: Response) {
    form.closes = form.closes || isDraining
    ResponseSerializer.append(response, as: form, date: now.date, to: &output)
    outputBegin = now.milliseconds
    enter(form.closes ? .finishing : .head)
  }

  private mutating func append(output bytes: [UInt8]) {
    output.append(contentsOf: bytes)
    outputBegin = now.milliseconds
  }
}
