import HTTP

// Admission of new connections.
extension EventLoop {
  /// The maximum number of connections at a time that get an error response before they are closed.
  ///
  /// Beyond it, connections are closed at once.
  static let maxTurnedAway = 64

  /// Admits a new connection, and closes an idle one for it if there are too many.
  ///
  /// - Parameters:
  ///   - descriptor: The socket.
  ///   - isLocal: True for a Unix socket, whose peer has no address.
  func admit(_ descriptor: consuming FileDescriptor, isLocal: Bool) {
    metrics.add(1, to: .accepted)
    if isLocal { Syscalls.limitUnsent(of: descriptor.number) }
    let isWanted = !isLocal && (settings.log != nil || countsNetworks)
    let peer = isWanted ? Syscalls.peer(of: descriptor.number) : nil
    let network = countedNetwork(of: peer)
    let refusal = refusal(of: network)
    guard refusal == nil || turnedAwayCount < Self.maxTurnedAway else { return }
    lastGeneration = lastGeneration == .max ? 1 : lastGeneration + 1
    let remote = isLocal ? "unix" : settings.log == nil ? "" : peer.map(Syscalls.text) ?? ""
    let connection = Connection(
      descriptor: descriptor,
      generation: lastGeneration,
      remote: remote,
      isReadInPieces: isLocal,
      state: ConnectionState(
        limits: settings.limits,
        hosts: settings.hosts,
        router: settings.router,
        crossOrigin: settings.handler.crossOrigin,
        codingPolicy: settings.coding?.policy,
        ids: RequestIDs(seed: seeds.next()),
        remote: remote,
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
    // Its request may have arrived with it and be answered, so it may be idle already.
    if rankingTurn == turnNumber { rank(connection) }
  }

  private var countsNetworks: Bool {
    settings.addresses != nil || settings.refusedCredentials != nil
  }

  /// Returns the address under which a connection is counted; nil if it is not counted.
  private func countedNetwork(of peer: PeerAddress?) -> PeerAddress? {
    guard countsNetworks, let peer else { return nil }
    return settings.exemptsLoopback && peer.isLoopback ? nil : peer.network
  }

  /// Returns the reason to refuse a new connection; nil if it is accepted, and then counted.
  private func refusal(of network: PeerAddress?) -> Problem? {
    let problem: Problem?
    if !makeRoomForConnection() {
      // The client finds room at its next attempt, if another loop can close an idle connection.
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

  /// Releases a connection, which closes it.
  func remove(_ connection: Connection) {
    connections[Int(connection.descriptor.number)] = nil
    connectionCount -= 1
    if connection.isTurnedAway { turnedAwayCount -= 1 } else { settings.connectionCount.add(-1) }
    if let network = connection.network { settings.addresses?.leave(network) }
    settings.held.add(-connection.countedBytes)
    settings.heldAnswers.add(-connection.countedAnswerBytes)
  }

  /// At the limit of connections, closes the one idle longest.
  ///
  /// Returns true if another one fits.
  @discardableResult
  func makeRoomForConnection() -> Bool {
    let count = settings.connectionCount
    if count.current >= settings.maxConnections { closeLongestIdle() }
    return count.current < settings.maxConnections
  }

  /// Closes the connection that has been idle longest, if there is one.
  ///
  /// A new connection is not closed, because its request may be on its way.
  ///
  /// - Complexity: O(log connections), and O(connections) at most once in a loop iteration.
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
    // Connections that are idle since the same millisecond are ordered by their age.
    idleRanking.insert(connection.token, at: rest << 32 + Int(connection.token.generation))
  }
}
