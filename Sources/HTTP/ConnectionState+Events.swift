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

  /// The peer has shut down its sending side.
  ///
  /// What it asked before is still answered.
  public mutating func peerClosed(now: Moment) {
    self.now = now
    hasPeerClosed = true
  }

  /// The owner has an answer to the request it was given.
  ///
  /// There must be such a request.
  public mutating func answer(_ response: Response, now: Moment) {
    precondition(isHandling, "an answer without a request")
    self.now = now
    write(response)
  }

  /// The peer took bytes.
  ///
  /// - Parameters:
  ///   - count: How many of ``unwritten``.
  ///   - now: The time.
  public mutating func wrote(_ count: Int, now: Moment) {
    precondition(count <= output.count - outputStart, "more written than there was")
    self.now = now
    lastProgress = now.milliseconds
    outputStart += count
    guard outputStart == output.count else { return }
    output.removeAll(keepingCapacity: output.capacity <= limits.bufferBytesKept)
    outputStart = 0
    phaseStart = now.milliseconds
    phaseBytes = 0
  }

  /// Reading or writing failed: nothing can be said to the peer any more.
  public mutating func abort() {
    output = []
    outputStart = 0
    phase = .closed
  }

  /// The connection is not served: it gets this response and is closed.
  ///
  /// Nothing must have happened on it yet.
  public mutating func turnAway(with response: Response) {
    precondition(isIdle && requestCount == 0, "only a new connection is turned away")
    form.closes = true
    write(response)
  }

  /// The connection is to end as soon as nothing is lost by it; answers from now on say so.
  public mutating func drain(now: Moment) {
    self.now = now
    isDraining = true
  }

  /// The input is empty or begins with a new request: offsets count from its start again.
  private mutating func restartInput() {
    inputStart = 0
    if !parser.hasBegun { parser = RequestParser(limits: limits) }
  }
}
