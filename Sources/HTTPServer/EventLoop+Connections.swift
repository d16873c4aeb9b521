import HTTP

extension EventLoop {
  /// How many connections one turn accepts, so that those there are get served meanwhile.
  static let acceptsPerTurn = 64
  /// How many connections that came before a stop are still accepted.
  static let acceptsAtStop = 1_024
  /// How many connections beyond the limit are told so rather than just closed.
  private static let turnedAwayMax = 64

  /// Accepts the connections that wait, up to a number.
  func acceptWaiting(atMost max: Int) {
    guard let listener = listener?.number else { return }
    for _ in 0..<max {
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

  /// Takes a new connection in, at the cost of an idle one if there are too many.
  private func admit(_ descriptor: consuming FileDescriptor) {
    metrics.add(1, to: .accepted)
    let count = settings.connectionCount
    if count.current >= settings.connectionsMax { closeLongestIdle() }
    let isTurnedAway = count.current >= settings.connectionsMax
    if isTurnedAway { metrics.add(1, to: .refused) }
    guard count.current < settings.connectionsMax + Self.turnedAwayMax else { return }
    lastGeneration = lastGeneration == .max ? 1 : lastGeneration + 1
    let remote = settings.log == nil ? "" : Syscalls.peerAddress(of: descriptor.number)
    let connection = Connection(
      descriptor: descriptor,
      generation: lastGeneration,
      remote: remote,
      state: ConnectionState(
        limits: settings.limits,
        hosts: settings.hosts,
        router: settings.router,
        crossOrigin: settings.handler.crossOrigin,
        codingPolicy: settings.coding?.policy,
        ids: RequestIDs(seed: seeds.next()),
        now: clock.now
      )
    )
    guard epoll.addConnection(connection.token) else { return }
    insert(connection)
    if isTurnedAway {
      connection.state.turnAway(with: Problem.overloaded(retryAfter: 1).response)
    }
    advance(connection)
  }

  private func insert(_ connection: Connection) {
    let index = Int(connection.descriptor.number)
    while connections.count <= index { connections.append(nil) }
    connections[index] = connection
    connectionCount += 1
    settings.connectionCount.increment()
  }

  /// Closes the connection that is kept idle the longest, if there is one.
  ///
  /// O(connections), at the limit only. A new connection is left alone: its request may be on its
  /// way.
  private func closeLongestIdle() {
    let idle = connections.lazy.compactMap(\.self).filter(\.state.isKeptIdle)
    // Those that idle since the same millisecond go in the order they came.
    let oldest = idle.min {
      ($0.state.deadline ?? .max, $0.token.generation)
        < ($1.state.deadline ?? .max, $1.token.generation)
    }
    if let oldest { close(oldest) }
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
    connections[Int(connection.descriptor.number)] = nil
    connectionCount -= 1
    settings.connectionCount.decrement()
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
    for _ in 0..<Self.actionsPerTurn where bytesOfTurn < Self.bytesPerTurn {
      switch connection.state.next() {
      case .handle(let request):
        identify(request, on: connection)
        reply(to: connection, settings.handler.respond(to: request))
      case .choose(let request):
        identify(request, on: connection)
        connection.state.choose(settings.handler.receiver(for: request), now: clock.now)
      case .code(let content): code(content, for: connection)
      case .finish(let receiver): reply(to: connection, receiver.finish())
      case .record(let exchange): record(exchange, of: connection)
      case .read:
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
    unfinished.append(connection.token)
    schedule(connection)
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
    guard let deadline = connection.state.deadline else { return }
    if let scheduled = connection.scheduled, scheduled <= deadline { return }
    connection.scheduled = deadline
    timers.insert(connection.token, at: deadline)
  }
}
