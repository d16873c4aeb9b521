extension ConnectionState {
  /// Parses the available input of a head.
  ///
  /// Returns nil if the state has changed, so that the caller looks at it again.
  mutating func continueHead() -> Action? {
    let isAwaited =
      requestCount == 0 && now.milliseconds < phaseStart + Self.firstRequestMilliseconds
    if isDraining, isIdle, !isAwaited {
      phase = .closed
      return nil
    }
    let hadBegun = parser.hasBegun
    guard hadBegun || inputStart < input.count else { return needMore() }
    do {
      guard let head = try parser.parse(input) else {
        if !parser.hasBegun { inputStart = parser.start }
        if !hadBegun, parser.hasBegun {
          phaseStart = now.milliseconds
          openExchange()
        }
        return needMore()
      }
      if !hadBegun { openExchange() }
      inputStart = head.end
      return begin(head)
    } catch {
      if !hadBegun { openExchange() }
      recordRefusedHead()
      refuse(error, isHead: parser.method == .head)
    }
    return nil
  }

  /// Asks for more input, or closes if no more will come.
  mutating func needMore() -> Action? {
    guard hasPeerClosed else { return .read }
    recordBrokenHead()
    phase = .closed
    return nil
  }

  /// Decides the next action after a head is complete.
  private mutating func begin(_ head: RequestHead) -> Action? {
    refusal = head.refusal(by: hosts)
    if refusal == nil, !head.isHostKnown, hosts.allows(head.host) { parser.keepHost(head.host) }
    record(head)
    requestCount += 1
    form.isHead = head.method == .head
    form.closes = !head.keepsAlive || requestCount >= limits.maxRequestsPerConnection
    form.version = head.version
    if head.framing == .length(0) { return handle(head, body: []) }
    self.head = head
    guard refusal == nil, let method = head.method else {
      passBody(head)
      return nil
    }
    enter(.choosing)
    return .choose(request(head, method, body: []))
  }

  /// Passes a complete request to the owner, or responds if it is refused.
  mutating func handle(_ head: RequestHead, body: consuming [UInt8]) -> Action? {
    beginHandling(head)
    guard refusal == nil, let method = head.method else {
      write(head.problem(of: refusal ?? .unknownMethod).response)
      return nil
    }
    return .handle(request(head, method, body: body))
  }

  private mutating func request(
    _ head: RequestHead,
    _ method: Method,
    body: consuming [UInt8]
  ) -> Request {
    Request(
      head: head,
      method: method,
      body: body,
      isUnanswerable: CodingPolicy.excludes(head.codings, codingPolicy)
    )
  }

  /// Starts handling a complete request.
  ///
  /// Input behind it belongs to the next request.
  mutating func beginHandling(_ head: RequestHead) {
    headBytes = head.unusualBytes
    parser.restart(at: inputStart)
    enter(.handling)
  }

  /// Responds to a request that breaks a rule, and closes the connection.
  mutating func refuse(_ rejection: RequestRejection, isHead: Bool) {
    form.isHead = isHead
    refuse(with: rejection.problem.response)
  }

  /// Responds to a request whose rest will not be read, and closes the connection.
  mutating func refuse(with response: Response) {
    cancelWork()
    form.closes = true
    body = []
    head = nil
    write(response)
  }

  /// Writes a response to the output, after its content is encoded if necessary.
  mutating func write(_ response: Response) {
    chooseCoding(of: response, isStream: false)
    guard form.isCoded, !form.isHead else { return put(response) }
    guard let compressed = response.compressedBody else { return code(response) }
    var response = response
    response.body = compressed
    put(response)
  }

  /// Writes a response to the output unchanged.
  mutating func put(_ response: Response) {
    form.closes = form.closes || isDraining
    bytesInHand = 0
    headBytes = 0
    record(response)
    let date = now.date
    output.content = ResponseSerializer.append(response, as: form, date: date, to: &output.bytes)
    output.begin = now.milliseconds
    output.isUnsent = true
    output.isOfReading = response.isOfReading
    isAnswered = true
    enter(form.closes ? .finishing : .head)
  }
}
