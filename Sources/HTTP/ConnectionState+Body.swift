extension ConnectionState {
  /// The owner has chosen what takes the content of the request whose head it was shown.
  ///
  /// - Precondition: ``next()`` has asked for it.
  /// - Parameters:
  ///   - receiver: What takes the content as it comes; nil has it collected.
  ///   - now: The time.
  public mutating func choose(_ receiver: (any BodyReceiver)?, now: Moment) {
    guard case .choosing = phase, let head else {
      preconditionFailure("a choice without a request")
    }
    self.now = now
    guard let receiver else { return beginBody(head, maxBytes: limits.maxBodyBytes) }
    if let refusal = receiver.begin() { return refuse(with: refusal) }
    self.receiver = receiver
    beginBody(head, maxBytes: receiver.maxBytes)
  }

  /// Begins to read the content of a request that is refused, if it is little, so that the
  /// connection can go on.
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

  /// Begins to read content of so many bytes at most.
  mutating func beginBody(_ head: RequestHead, maxBytes: Int) {
    if case .length(let length) = head.framing, length > maxBytes {
      return refuse(.contentTooLarge(limit: maxBytes), isHead: form.isHead)
    }
    // Whoever waits for leave to send the content gets the refusal instead, without sending it.
    if let refusal, head.expectation != .none {
      return refuse(refusal, isHead: form.isHead)
    }
    if head.expectation == .continue, inputStart == input.count {
      output.bytes.append(contentsOf: ResponseSerializer.continueLine)
      output.begin = now.milliseconds
    }
    decoder = ChunkedDecoder(limits: limits, maxContentBytes: maxBytes)
    contentCount = 0
    enter(.body)
  }

  /// Takes what there is of the content.
  ///
  /// Returns nil when the state moved on.
  mutating func continueBody() -> Action? {
    guard let head else { preconditionFailure("content without a head") }
    var isComplete = false
    var rejection: RequestRejection?
    let start = inputStart
    do {
      isComplete = try takeBody(head.framing)
    } catch {
      rejection = error
    }
    exchange?.requestBytes += inputStart - start
    // What came before a fault counts first, so that the verdict does not depend on how bytes come.
    if !handOver() { return nil }
    if let rejection {
      // What was wrong before the content was looked at is told, however the content is framed.
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
    beginHandling()
    return .finish(receiver)
  }

  /// Moves content from the input to the body; returns whether it is complete.
  private mutating func takeBody(
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

  /// Makes room for a part of content of a length.
  ///
  /// What is only announced costs next to nothing. Once a sixteenth of it is there, there is to be
  /// room for all: growing step by step copies what came before, each time more at once.
  private mutating func makeRoom(for count: Int, of length: Int) {
    if body.isEmpty {
      body.reserveCapacity(min(length, limits.bufferBytesKept))
    } else if body.count + count > body.capacity, body.count >= length / 16 {
      body.reserveCapacity(length)
    }
  }

  /// Hands what there is of the body to the receiver, if there is one; returns whether to go on.
  private mutating func handOver() -> Bool {
    guard let receiver, !body.isEmpty else { return true }
    defer { body.removeAll(keepingCapacity: true) }
    guard let refusal = receiver.receive(body[...]) else { return true }
    self.receiver = nil
    refuse(with: refusal)
    return false
  }
}
