extension ConnectionState {
  /// Accepts the owner's choice of a receiver for the request's content.
  ///
  /// - Precondition: ``next()`` has asked for it.
  /// - Parameters:
  ///   - receiver: The consumer of the content. If nil, the content is collected.
  ///   - now: The time.
  ///   - waker: Makes the owner call ``wake(now:)``. It is evaluated only if there is a receiver.
  package mutating func choose(
    _ receiver: (any BodyReceiver)?,
    now: Moment,
    waker: @autoclosure () -> Waker
  ) {
    guard case .choosing = phase, let head else {
      preconditionFailure("a choice without a request")
    }
    self.now = now
    guard let receiver else { return beginBody(head, maxBytes: limits.maxBodyBytes) }
    receiver.attach(waker())
    if let refusal = receiver.begin() { return refuse(with: refusal) }
    self.receiver = receiver
    beginBody(head, maxBytes: receiver.maxBytes)
  }

  /// Starts reading the content of a refused request, if it is short.
  ///
  /// The connection stays usable for the next request.
  mutating func passBody(_ head: RequestHead) {
    let maxBytes = min(limits.maxUnreadBytes, limits.maxBodyBytes)
    if case .length(let length) = head.framing, length > maxBytes {
      return refuse(
        refusal ?? .contentTooLarge(limit: maxBytes),
        isHead: form.isHead
      )
    }
    beginBody(head, maxBytes: maxBytes)
  }

  /// Starts reading content of at most `maxBytes`.
  mutating func beginBody(_ head: RequestHead, maxBytes: Int) {
    if case .length(let length) = head.framing, length > maxBytes {
      return refuse(.contentTooLarge(limit: maxBytes), isHead: form.isHead)
    }
    // A client that waits for `100 Continue` gets the refusal without sending the content.
    if let refusal, head.expectation != .none {
      return refuse(refusal, isHead: form.isHead)
    }
    isContinueDue = head.expectation == .continue && inputStart == input.count
    pauseStart = nil
    decoder = ChunkedDecoder(limits: limits, maxContentBytes: maxBytes)
    contentCount = 0
    enter(.body)
  }

  /// Consumes the available input of the content.
  ///
  /// Returns nil if the state has changed, so that the caller looks at it again.
  mutating func continueBody() -> Action? {
    guard let head else { preconditionFailure("content without a head") }
    switch receiver?.demand() ?? .more {
    case .more: endPause()
    case .pause:
      if pauseStart == nil { pauseStart = now.milliseconds }
      return .wait
    case .refuse(let response):
      receiver = nil
      refuse(with: response)
      return nil
    }
    if isContinueDue {
      isContinueDue = false
      output.bytes.append(contentsOf: ResponseSerializer.continueLine)
      output.begin = now.milliseconds
      return nil
    }
    var isComplete = false
    var rejection: RequestRejection?
    let start = inputStart
    do {
      isComplete = try consumeBody(head.framing)
    } catch {
      rejection = error
    }
    exchange?.requestBytes += inputStart - start
    // Bytes before a fault are handed over first, so that the result does not depend on how the
    // input is split.
    if !handOver() { return nil }
    if let rejection {
      // A refusal that was found before the content takes precedence over a fault in the content.
      refuse(refusal ?? rejection, isHead: form.isHead)
      return nil
    }
    guard isComplete else { return needMore() }
    self.head = nil
    let content = body
    body = []
    bytesInHand = content.count + (receiver?.heldBytes ?? 0)
    guard let receiver else { return handle(head, body: content) }
    self.receiver = nil
    beginHandling(head)
    return .finish(receiver)
  }

  /// Ends a pause of the receiver, whose time does not count for the client.
  private mutating func endPause() {
    guard let start = pauseStart.take() else { return }
    phaseStart += now.milliseconds - start
    lastProgress += now.milliseconds - start
  }

  /// Moves content from the input to the body; returns true if the content is complete.
  private mutating func consumeBody(
    _ framing: RequestHead.Framing
  ) throws(RequestRejection) -> Bool {
    switch framing {
    case .chunked:
      return try decoder.decode(input, from: &inputStart, into: &body)
    case .length(let length):
      let count = min(length - contentCount, input.count - inputStart)
      if count > 0 {
        makeRoom(for: count, of: length)
        body.append(contentsOf: input[inputStart..<inputStart + count])
        inputStart += count
        contentCount += count
      }
      return contentCount == length
    }
  }

  /// Reserves capacity for a part of content of known length.
  ///
  /// An announcement alone reserves at most `bufferBytesKept`. When a sixteenth of the content has
  /// arrived, capacity for all of it is reserved, because growing in steps copies repeatedly.
  private mutating func makeRoom(for count: Int, of length: Int) {
    if body.isEmpty {
      body.reserveCapacity(min(length, limits.bufferBytesKept))
    } else if body.count + count > body.capacity, body.count >= length / 16 {
      body.reserveCapacity(length)
    }
  }

  /// Hands the body to the receiver, if there is one; returns false if the receiver refuses it.
  private mutating func handOver() -> Bool {
    guard let receiver, !body.isEmpty else { return true }
    defer { body.removeAll(keepingCapacity: true) }
    guard let refusal = receiver.receive(body[...]) else { return true }
    self.receiver = nil
    refuse(with: refusal)
    return false
  }
}
