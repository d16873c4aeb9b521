import HTTP

// Who is let in.
extension EventLoop {
  /// How many connections are told at once that there is no room, rather than just closed.
  static let maxTurnedAway = 64

  /// Takes a new connection in, at the cost of an idle one if there are too many.
  ///
  /// - Parameters:
  ///   - descriptor: Its socket.
  ///   - isLocal: Whether that is a Unix socket, whose peer has no address.
  func admit(_ descriptor: consuming FileDescriptor, isLocal: Bool) {
    metrics.add(1, to: .accepted)
    if isLocal { Syscalls.limitUnsent(of: descriptor.number) }
    let isWanted = !isLocal && (settings.log != nil || countsNetworks)
    let peer = isWanted ? Syscalls.peer(of: descriptor.number) : nil
    let network = countedNetwork(of: peer)
    let refusal = refusal(of: network)
    guard refusal == nil || turnedAwayCount < Self.maxTurnedAway else { return }
    lastGeneration = lastGeneration == .max ? 1 : lastGeneration + 1
    let connection = Connection(
      descriptor: descriptor,
      generation: lastGeneration,
      remote: isLocal ? "unix" : settings.log == nil ? "" : peer.map(Syscalls.text) ?? "",
      isReadInPieces: isLocal,
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
    connection.isTurnedAway = refusal != nil
    connection.network = refusal == nil ? network : nil
    guard epoll.addConnection(connection.token) else {
      if let network = connection.network { settings.addresses?.leave(network) }
      return
    }
    insert(connection)
    if let refusal { connection.state.turnAway(with: refusal.response) }
    advance(connection)
    // Its request came with it and is answered: it can make room for the next one already.
    if rankingTurn == turnNumber { rank(connection) }
  }

  private var countsNetworks: Bool {
    settings.addresses != nil || settings.refusedCredentials != nil
  }

  /// Under what a connection from an address is counted; nil if under nothing.
  private func countedNetwork(of peer: PeerAddress?) -> PeerAddress? {
    guard countsNetworks, let peer else { return nil }
    return settings.exemptsLoopback && peer.isLoopback ? nil : peer.network
  }

  /// Why a new connection is not served; nil if it is, and is counted then.
  private func refusal(of network: PeerAddress?) -> Problem? {
    let problem: Problem?
    if !makeRoomForConnection() {
      // Who comes again finds what another loop could close.
      requestRoomOfOthers()
      problem = .overloaded(retryAfter: 1)
    } else if let network, settings.addresses?.enter(network) == false {
      problem = .tooManyConnections(retryAfter: 1)
    } else {
      problem = nil
    }
    if problem != nil { metrics.add(1, to: .refused) }
    return problem
  }

  private func insert(_ connection: Connection) {
    let index = Int(connection.descriptor.number)
    while connections.count <= index { connections.append(nil) }
    connections[index] = connection
    connectionCount += 1
    if connection.isTurnedAway { turnedAwayCount += 1 } else { settings.connectionCount.add(1) }
  }

  /// Lets go of a connection, which closes it.
  func remove(_ connection: Connection) {
    connections[Int(connection.descriptor.number)] = nil
    connectionCount -= 1
    if connection.isTurnedAway { turnedAwayCount -= 1 } else { settings.connectionCount.add(-1) }
    if let network = connection.network { settings.addresses?.leave(network) }
    settings.held.add(-connection.countedBytes)
    settings.heldAnswers.add(-connection.countedAnswerBytes)
  }

  /// Makes room for one more connection, at the cost of an idle one if need be; returns whether
  /// there is some.
  @discardableResult
  func makeRoomForConnection() -> Bool {
    let count = settings.connectionCount
    if count.current >= settings.maxConnections { closeLongestIdle() }
    return count.current < settings.maxConnections
  }

  /// Closes the connection that is kept idle the longest, if there is one.
  ///
  /// O(log connections), at the limit only, and once in a turn O(connections). A new connection is
  /// left alone: its request may be on its way.
  private func closeLongestIdle() {
    if rankingTurn != turnNumber { rankIdle() }
    while let next = idleRanking.popDue(now: .max) {
      guard let connection = connection(for: next.token), connection.state.isKeptIdle else {
        continue
      }
      return close(connection)
    }
  }

  private func rankIdle() {
    rankingTurn = turnNumber
    idleRanking = TimerQueue()
    for connection in connections.lazy.compactMap(\.self) { rank(connection) }
  }

  private func rank(_ connection: Connection) {
    guard connection.state.isKeptIdle else { return }
    let rest = (connection.state.deadline ?? 0) - clock.now.milliseconds
    // Those that idle since the same millisecond go in the order they came.
    idleRanking.insert(connection.token, at: rest << 32 + Int(connection.token.generation))
  }
}
