import HTTP

extension EventLoop {
  /// How many connections one turn accepts, so that those there are get served meanwhile.
  static let acceptsPerTurn = 64
  /// How many connections that came before a stop are still accepted.
  static let acceptsAtStop = 1_024

  /// Accepts the connections that wait, up to a number and until a slice of time is over.
  func acceptWaiting(atMost max: Int, within slice: TimeSlice) {
    for listener in listeners {
      // All loops wait for a shared one: to leave the next connection to the others is how they
      // share.
      accept(from: listener, atMost: listener.isShared ? 1 : max, within: slice)
    }
  }

  /// Accepts the connections that came before a stop, but those that another process will serve.
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

  /// Closes one that waits, by means of the reserved descriptor.
  ///
  /// Left waiting, it would keep the listener readable and the loop busy.
  private func dropOneWaiting(_ listener: Int32) {
    reserve = nil
    metrics.add(1, to: .refused)
    _ = Syscalls.accept(listener)
    reserve = try? Syscalls.openReserve()
  }

  /// The connection an event or a timer is about, nil if it is closed.
  func connection(for token: EventToken) -> Connection? {
    let index = Int(token.descriptor)
    guard index < connections.count, let connection = connections[index],
      connection.token == token
    else { return nil }
    return connection
  }

  /// Closes a connection, and has what works for it let go.
  func close(_ connection: Connection) {
    connection.state.abort()
    if case .record(let exchange) = connection.state.next() { record(exchange, of: connection) }
    noteInFlight(connection, connection.state.isInExchange)
    if connection.isAnswerNear { nearAnswers -= 1 }
    remove(connection)
  }

  /// Carries out what the connection's state asks for, until it has to wait.
  ///
  /// - Parameters:
  ///   - connection: The connection.
  ///   - isKept: Whether an answer is not sent: it is by advancing once more.
  /// - Returns: Whether an answer is kept.
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

  /// What serving a connection came to.
  private enum Outcome {
    /// It goes on with the next event.
    case waits
    /// It has an answer that was to be kept.
    case hasAnswer
    /// It is to be closed.
    case ends
  }

  /// Carries out what the state of a connection asks for, until it has to wait.
  ///
  /// The state is held from beginning to end: nothing that is called from here may come by it in
  /// another way.
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

  /// Counts the time that the loop is busy with one request or wake-up.
  @inline(__always)
  private func timed(_ work: () -> Void) {
    let begin = Syscalls.monotonicNanoseconds()
    work()
    metrics.count(busy: Syscalls.monotonicNanoseconds() - begin)
  }

  private func passWake(to connection: Connection) {
    connection.isWoken = false
    takeCoded(connection)
    connection.state.wake(now: clock.now)
  }

  /// Gives a connection the reply to its request, and with a late one the way to wake it.
  private func reply(to connection: Connection, _ state: inout ConnectionState, _ reply: Reply) {
    state.reply(reply, now: clock.now, waker: waker(of: connection))
  }

  private func waker(of connection: Connection) -> Waker {
    if let waker = connection.waker { return waker }
    let waker = Waker { [resources, token = connection.token] in resources.wake(token) }
    connection.waker = waker
    return waker
  }

  /// Reads once; returns whether something came of it.
  func read(_ connection: Connection, _ state: inout ConnectionState) -> Bool {
    guard connection.isReadable else { return false }
    switch Syscalls.receive(connection.descriptor.number, into: &readBuffer) {
    case .bytes(0): state.peerClosed(now: clock.now)
    case .bytes(let count):
      // Less than there was room for is all there was; asking again would cost a call a request.
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

  /// Writes once; returns whether the socket took something.
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

  /// Ends the connection's turn: enters its deadline into the timers, unless an earlier time is
  /// there already.
  private func schedule(_ connection: Connection, _ state: inout ConnectionState) -> Outcome {
    let standing = state.standing()
    note(standing, of: connection)
    guard let deadline = standing.deadline else { return .waits }
    if let scheduled = connection.scheduled, scheduled <= deadline { return .waits }
    connection.scheduled = deadline
    timers.insert(connection.token, at: deadline)
    return .waits
  }

  /// Counts the connection, if anything has changed, among those in the middle of an exchange and
  /// those whose answer is near, and what it holds.
  ///
  /// Asked when its turn is over, so that what is answered in one turn never counts.
  private func note(_ standing: ConnectionState.Standing, of connection: Connection) {
    noteInFlight(connection, standing.isInExchange)
    noteHeld(connection, standing.heldBytes, answer: standing.answerBytes)
    guard standing.isAnswerNear != connection.isAnswerNear else { return }
    connection.isAnswerNear = standing.isAnswerNear
    nearAnswers += connection.isAnswerNear ? 1 : -1
  }
}
