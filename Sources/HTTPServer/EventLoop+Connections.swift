import HTTP

extension EventLoop {
  /// The maximum number of connections accepted in an iteration, so that others are served, too.
  static let acceptsPerTurn = 64
  /// The maximum number of pending connections accepted at a stop, for each listener.
  static let acceptsAtStop = 1_024

  /// Accepts pending connections, up to a number and until a time slice is over.
  func acceptWaiting(atMost max: Int, within slice: TimeSlice) {
    for listener in listeners {
      // All loops wait for a shared socket. Accepting one at a time distributes the connections.
      accept(from: listener, atMost: listener.isShared ? 1 : max, within: slice)
    }
  }

  /// Accepts the connections pending at a stop, except those that another process will serve.
  func acceptLast() {
    for listener in listeners where !listener.isPassed {
      accept(from: listener, atMost: Self.acceptsAtStop, within: nil)
    }
  }

  private func accept(from listener: Listener, atMost max: Int, within slice: TimeSlice?) {
    let number = listener.descriptor.number
    for index in 0..<max where index == 0 || slice?.isOver != true {
      switch Syscalls.accept(number) {
      case .connection(let descriptor): admit(descriptor, isLocal: listener.isLocal)
      case .none: return
      case .failed: continue
      case .outOfDescriptors:
        dropOneWaiting(number)
        return
      }
    }
  }

  /// Closes a pending connection, using the reserved descriptor.
  ///
  /// If it stayed pending, the listener would stay readable and keep the loop busy.
  private func dropOneWaiting(_ listener: Int32) {
    reserve = nil
    metrics.add(1, to: .refused)
    _ = Syscalls.accept(listener)
    reserve = try? Syscalls.openReserve()
  }

  /// Returns the connection of a token, or nil if it is closed.
  func connection(for token: EventToken) -> Connection? {
    let index = Int(token.descriptor)
    guard index < connections.count, let connection = connections[index],
      connection.token == token
    else { return nil }
    return connection
  }

  /// Closes a connection and cancels its work.
  func close(_ connection: Connection) {
    connection.state.abort()
    if case .record(let exchange) = connection.state.next() { record(exchange, of: connection) }
    recordInFlight(connection, connection.state.isInExchange)
    if connection.isAnswerNear { nearAnswers -= 1 }
    remove(connection)
  }

  /// Carries out the actions of a connection's state until it must wait.
  ///
  /// - Parameters:
  ///   - connection: The connection.
  ///   - isKept: True to stop before a response is written; the next call writes it.
  /// - Returns: True if a response was kept.
  @discardableResult
  func advance(_ connection: Connection, keepingAnswer isKept: Bool = false) -> Bool {
    bytesOfTurn = 0
    connection.lastTurn = turnNumber
    if connection.isWoken { timed { passWake(to: connection) } }
    switch serve(connection, &connection.state, keepingAnswer: isKept) {
    case .waits: return false
    case .hasAnswer: return true
    case .ends:
      close(connection)
      return false
    }
  }

  /// The result of serving a connection.
  private enum Outcome {
    /// The connection waits for its next event, or in the queue.
    case waits
    /// The connection has a response that is kept.
    case hasAnswer
    /// The connection must be closed.
    case ends
  }

  /// Carries out the actions of a connection's state until it must wait.
  ///
  /// The state is accessed exclusively during the call, so nothing called from here may access it
  /// in another way.
  private func serve(
    _ connection: Connection,
    _ state: inout ConnectionState,
    keepingAnswer isKept: Bool
  ) -> Outcome {
    for _ in 0..<Self.actionsPerTurn where bytesOfTurn < Self.bytesPerTurn {
      switch state.next() {
      case .handle(let request):
        timed {
          identify(request, &state)
          let refusal = refusal(of: request, on: connection).map(Reply.response)
          reply(to: connection, &state, refusal ?? settings.handler.respond(to: request))
        }
      case .choose(let request):
        timed {
          identify(request, &state)
          choose(request, on: connection, &state)
        }
      case .code(let content): timed { code(content, for: connection, &state) }
      case .finish(let receiver):
        timed { reply(to: connection, &state, receiver.finish()) }
      case .record(let exchange): record(exchange, of: connection)
      case .read:
        if shedRest(of: connection, &state) { continue }
        guard read(connection, &state) else { return schedule(connection, &state) }
      case .write:
        if shedAnswer(of: connection, &state) { continue }
        if isKept { return .hasAnswer }
        guard write(connection, &state) else { return schedule(connection, &state) }
      case .wait: return schedule(connection, &state)
      case .shutdownWrite: Syscalls.shutdownWrite(connection.descriptor.number)
      case .close: return .ends
      case .reset:
        Syscalls.resetOnClose(connection.descriptor.number)
        return .ends
      }
    }
    enqueue(connection)
    return schedule(connection, &state)
  }

  /// Measures the time that the loop is busy with one request or wake-up.
  @inline(__always)
  private func timed(_ work: () -> Void) {
    let begin = Syscalls.monotonicNanoseconds()
    work()
    metrics.count(busy: Syscalls.monotonicNanoseconds() - begin)
  }

  private func passWake(to connection: Connection) {
    connection.isWoken = false
    popCoded(connection)
    connection.state.wake(now: clock.now)
  }

  /// Passes a reply to a connection, and a waker for a deferred one.
  private func reply(to connection: Connection, _ state: inout ConnectionState, _ reply: Reply) {
    state.reply(reply, now: clock.now, waker: waker(of: connection))
  }

  /// Returns the waker of a connection's deferred answers and receivers.
  func waker(of connection: Connection) -> Waker {
    if let waker = connection.waker { return waker }
    let waker = Waker { [resources, token = connection.token] in resources.wake(token) }
    connection.waker = waker
    return waker
  }

  /// Reads once; returns false if there was nothing to read.
  func read(_ connection: Connection, _ state: inout ConnectionState) -> Bool {
    guard connection.isReadable else { return false }
    switch Syscalls.receive(connection.descriptor.number, into: &readBuffer) {
    case .bytes(0): state.peerClosed(now: clock.now)
    case .bytes(let count):
      // A short read means that all is read. Another call to confirm it would cost a system call.
      connection.isReadable =
        count == readBuffer.count || connection.isEnding || connection.isReadInPieces
      bytesOfTurn += count
      state.receive(readBuffer[..<count], now: clock.now)
    case .wouldBlock:
      connection.isReadable = false
      return false
    case .failed: state.abort()
    }
    return true
  }

  /// Writes once; returns false if the socket was full.
  private func write(_ connection: Connection, _ state: inout ConnectionState) -> Bool {
    guard connection.isWritable else { return false }
    let (number, content) = (connection.descriptor.number, state.unwrittenContent)
    switch Syscalls.send(number, state.unwritten, andThen: content) {
    case .bytes(let count):
      bytesOfTurn += count
      state.wrote(count, now: clock.now)
    case .wouldBlock:
      connection.isWritable = false
      return false
    case .failed: state.abort()
    }
    return true
  }

  /// Ends the service of a connection: updates its counts, and its timer unless an earlier one is
  /// set.
  private func schedule(_ connection: Connection, _ state: inout ConnectionState) -> Outcome {
    let standing = state.snapshot()
    record(standing, of: connection)
    guard let deadline = standing.deadline else { return .waits }
    if let scheduled = connection.scheduled, scheduled <= deadline { return .waits }
    connection.scheduled = deadline
    timers.insert(connection.token, at: deadline)
    return .waits
  }

  /// Updates the counts of requests in progress, of held bytes and of imminent responses.
  ///
  /// It is called at the end of the service, so that a request answered at once never counts.
  private func record(_ standing: ConnectionState.Snapshot, of connection: Connection) {
    recordInFlight(connection, standing.isInExchange)
    recordHeld(connection, standing.heldBytes, answer: standing.answerBytes)
    guard standing.isAnswerNear != connection.isAnswerNear else { return }
    connection.isAnswerNear = standing.isAnswerNear
    nearAnswers += connection.isAnswerNear ? 1 : -1
  }
}
