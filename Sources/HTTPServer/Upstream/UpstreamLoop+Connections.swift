import HTTP

// Opening, reusing and closing connections.
extension UpstreamLoop {
  /// Gives an exchange a connection, or makes it wait for one.
  ///
  /// - Parameters:
  ///   - exchange: The exchange.
  ///   - isFresh: True to use a new connection only.
  func connect(_ exchange: UpstreamExchange, fresh isFresh: Bool) {
    var pool = pools[exchange.address] ?? UpstreamPool(exchange.address)
    while !isFresh, let token = pool.idle.popLast() {
      guard let connection = connection(for: token) else { continue }
      pools[exchange.address] = pool
      return begin(exchange, on: connection)
    }
    guard pool.connecting < options.maxConnecting else {
      pool.waiting.append(exchange)
      pools[exchange.address] = pool
      return
    }
    guard let address = pool.address, let connection = open(address, exchange.address) else {
      if !pool.isEmpty { pools[exchange.address] = pool }
      return end(exchange, .undone)
    }
    pool.connecting += 1
    pools[exchange.address] = pool
    connection.exchange = exchange
    owners[ObjectIdentifier(exchange)] = connection.token
    schedule(connection)
  }

  /// Starts to establish a connection; returns nil if the system refuses it.
  private func open(_ address: SocketAddress, _ text: String) -> UpstreamConnection? {
    guard
      let descriptor = try? Syscalls.connect(
        to: address,
        silenceMilliseconds: options.silenceMilliseconds
      )
    else { return nil }
    let connection = UpstreamConnection(
      descriptor: descriptor,
      generation: nextGeneration(),
      address: text,
      limits: limits,
      now: now
    )
    guard epoll.addConnection(connection.token) else { return nil }
    let index = Int(connection.token.descriptor)
    while connections.count <= index { connections.append(nil) }
    connections[index] = connection
    metrics.connections.add(1)
    return connection
  }

  /// Handles the end of a connection attempt, successful or not.
  func finishConnecting(_ connection: UpstreamConnection) {
    guard Syscalls.error(of: connection.descriptor.number) == 0 else {
      return failConnecting(connection)
    }
    pools[connection.address]?.connecting -= 1
    guard let exchange = connection.exchange else {
      preconditionFailure("a connection is made for an exchange")
    }
    begin(exchange, on: connection)
    connectNext(connection.address)
  }

  /// Ends all exchanges that wait for a server that cannot be reached.
  func failConnecting(_ connection: UpstreamConnection) {
    var lost = pools[connection.address]?.waiting ?? []
    pools[connection.address]?.waiting = []
    if let exchange = connection.exchange { lost.append(exchange) }
    close(connection)
    for exchange in lost { end(exchange, .undone) }
  }

  /// Gives the next waiting exchange a connection.
  private func connectNext(_ address: String) {
    guard let pool = pools[address], !pool.waiting.isEmpty,
      !pool.idle.isEmpty || pool.connecting < options.maxConnecting
    else { return }
    guard let next = pools[address]?.waiting.removeFirst() else { return }
    connect(next, fresh: false)
  }

  private func begin(_ exchange: UpstreamExchange, on connection: UpstreamConnection) {
    connection.phase = .busy
    connection.begin(exchange, limits: limits, now: now)
    owners[ObjectIdentifier(exchange)] = connection.token
    schedule(connection)
    pump(connection)
  }

  /// Keeps a connection whose exchange has ended for the next one, or closes it.
  func release(_ connection: UpstreamConnection) {
    let address = connection.address
    let isKept =
      connection.reader.canContinue && connection.isRequestSent && !connection.isEnding
      && !connection.isSendingBroken && !connection.isSendingLast
      && pools[address]?.idle.count ?? 0 < options.maxIdle
    if let exchange = connection.exchange { owners[ObjectIdentifier(exchange)] = nil }
    connection.exchange = nil
    guard isKept else {
      close(connection)
      return connectNext(address)
    }
    connection.phase = .idle
    connection.isReused = true
    connection.phaseStart = now
    pools[address, default: UpstreamPool(address)].idle.append(connection.token)
    schedule(connection)
    connectNext(address)
  }

  /// Closes a connection whose exchange has ended or continues on another one.
  func close(_ connection: UpstreamConnection) {
    let index = Int(connection.token.descriptor)
    guard connections[index] === connection else { return }
    if let exchange = connection.exchange { owners[ObjectIdentifier(exchange)] = nil }
    connection.exchange = nil
    switch connection.phase {
    case .connecting: pools[connection.address]?.connecting -= 1
    case .idle: pools[connection.address]?.idle.removeAll { $0 == connection.token }
    case .busy: break
    }
    connections[index] = nil
    metrics.connections.add(-1)
    if pools[connection.address]?.isEmpty == true { pools[connection.address] = nil }
  }

  /// Ends an exchange and counts it.
  func end(_ exchange: UpstreamExchange, _ ending: ForwardedNews.Ending) {
    metrics.count(UpstreamMetrics.Outcome(ending))
    exchange.end(ending)
  }
}
