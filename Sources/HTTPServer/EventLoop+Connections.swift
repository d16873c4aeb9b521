import HTTP

extension EventLoop {
  /// How many connections one turn accepts, so that those there are get served meanwhile.
  static let acceptsPerTurn = 64
  /// How many connections that came before a stop are still accepted.
  static let acceptsAtStop = 1_024

  /// Accepts the connections that wait, up to a number and until a slice of time is over.
  func acceptWaiting(atMost max: Int, within slice: TimeSlice? = nil) {
    guard let listener = listener?.number else { return }
    for index in 0..<max where index == 0 || slice?.isOver != true {
      switch Syscalls.accept(listener) {
      case .connection(let descriptor): admit(descriptor)
      case .none: return
      case .failed: continue
      case .outOfDescriptors:
        dropOneWaiting(listener)
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
    noteInFlight(connection)
    if connection.isAnswerNear { nearAnswers -= 1 }
    remove(connection)
  }

  /// Counts the connection among those whose answer is near, or no more.
  private func noteNear(_ connection: Connection) {
    guard connection.state.isAnswerNear != connection.isAnswerNear else { return }
    connection.isAnswerNear = connection.state.isAnswerNear
    nearAnswers += connection.isAnswerNear ? 1 : -1
  }

  /// Carries out what the connection's state asks for, until it has to wait.
  func advance(_ connection: Connection) {
    bytesOfTurn = 0
    connection.lastTurn = turnNumber
    if connection.isWoken { passWake(to: connection) }
    for _ in 0..<Self.actionsPerTurn where bytesOfTurn < Self.bytesPerTurn {
      switch connection.state.next() {
      case .handle(let request):
        identify(request, on: connection)
        let refusal = shedResponse(to: request).map(Reply.response)
        reply(to: connection, refusal ?? settings.handler.respond(to: request))
      case .choose(let request):
        identify(request, on: connection)
        choose(request, on: connection)
      case .code(let content): code(content, for: connection)
      case .finish(let receiver): reply(to: connection, receiver.finish())
      case .record(let exchange): record(exchange, of: connection)
      case .read:
        if shedContent(of: connection) { continue }
        guard read(connection) else { return schedule(connection) }
      case .write:
        guard write(connection) else { return schedule(connection) }
      case .wait: return schedule(connection)
      case .shutdownWrite: Syscalls.shutdownWrite(connection.descriptor.number)
      case .close: return close(connection)
      case .reset:
        Syscalls.resetOnClose(connection.descriptor.number)
        return close(connection)
      }
    }
    enqueue(connection)
    schedule(connection)
  }

  private func passWake(to connection: Connection) {
    connection.isWoken = false
    takeCoded(connection)
    connection.state.wake(now: clock.now)
  }

  /// Gives a connection the reply to its request, and with a late one the way to wake it.
  private func reply(to connection: Connection, _ reply: Reply) {
    connection.state.reply(
      reply,
      now: clock.now,
      waker: Waker { [resources, token = connection.token] in resources.wake(token) }
    )
  }

  /// Reads once; returns whether something came of it.
  func read(_ connection: Connection) -> Bool {
    guard connection.isReadable else { return false }
    switch Syscalls.receive(connection.descriptor.number, into: &readBuffer) {
    case .bytes(0): connection.state.peerClosed(now: clock.now)
    case .bytes(let count):
      // Less than there was room for is all there was; asking again would cost a call a request.
      connection.isReadable = count == readBuffer.count || connection.isEnding
      bytesOfTurn += count
      connection.state.receive(readBuffer[..<count], now: clock.now)
    case .wouldBlock:
      connection.isReadable = false
      return false
    case .failed: connection.state.abort()
    }
    return true
  }

  /// Writes once; returns whether the socket took something.
  private func write(_ connection: Connection) -> Bool {
    guard connection.isWritable else { return false }
    switch Syscalls.send(connection.descriptor.number, connection.state.unwritten) {
    case .bytes(let count):
      bytesOfTurn += count
      connection.state.wrote(count, now: clock.now)
    case .wouldBlock:
      connection.isWritable = false
      return false
    case .failed: connection.state.abort()
    }
    return true
  }

  /// Ends the connection's turn: enters its deadline into the timers, unless an earlier time is
  /// there already.
  private func schedule(_ connection: Connection) {
    noteInFlight(connection)
    noteNear(connection)
    noteHeld(connection)
    guard let deadline = connection.state.deadline else { return }
    if let scheduled = connection.scheduled, scheduled <= deadline { return }
    connection.scheduled = deadline
    timers.insert(connection.token, at: deadline)
  }
}
