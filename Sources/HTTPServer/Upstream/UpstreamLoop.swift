import HTTP

/// The loop that sends requests to other servers and receives their responses, on its own thread.
///
/// Other threads share only `resources`, `metrics` and the exchanges with it.
final class UpstreamLoop {
  static let maxEvents = 256
  static let maxReadBytes = 64 * 1024

  let options: UpstreamOptions
  let limits: Limits
  let resources: UpstreamResources
  let metrics: UpstreamMetrics
  /// The system's list of sockets to watch.
  var epoll: Epoll
  /// The times at which connections expire.
  var timers = TimerQueue()
  /// The connections, indexed by descriptor number.
  var connections: [UpstreamConnection?] = []
  /// The connections of the exchanges that have one.
  var owners: [ObjectIdentifier: EventToken] = [:]
  /// The connections and waiting exchanges of each address.
  var pools: [String: UpstreamPool] = [:]
  /// The time of the current iteration, in monotonic milliseconds.
  var now = Syscalls.monotonicMilliseconds()
  /// The buffer of one read, kept for reuse.
  var readBuffer = [UInt8](repeating: 0, count: UpstreamLoop.maxReadBytes)
  private var lastGeneration: UInt32 = 0
  private(set) var isStopped = false

  init(
    _ options: UpstreamOptions,
    _ limits: Limits,
    _ resources: UpstreamResources,
    _ metrics: UpstreamMetrics
  ) {
    self.options = options
    self.limits = limits
    self.resources = resources
    self.metrics = metrics
    epoll = Epoll(descriptor: resources.epoll.number, capacity: Self.maxEvents)
  }

  /// Runs until a stop is requested.
  func run() {
    let isWatching = epoll.addReader(EventToken(permanent: resources.wakeup.number))
    precondition(isWatching, "a new epoll instance has room for a descriptor")
    while !isStopped { turn() }
    for pool in pools.values {
      for exchange in pool.waiting { end(exchange, .undone) }
    }
    for connection in connections.compactMap(\.self) { fail(connection) }
  }

  private func turn() {
    let isAsleep = resources.beginSleep()
    let time = timers.next.map { max($0 - Syscalls.monotonicMilliseconds(), 0) } ?? -1
    epoll.wait(milliseconds: isAsleep ? time : 0)
    if isAsleep { resources.endSleep() }
    now = Syscalls.monotonicMilliseconds()
    // The ends of idle connections are noticed before these are used again.
    for index in 0..<epoll.count { handle(epoll[index]) }
    for exchange in resources.take(&isStopped) { obey(exchange) }
    while let due = timers.popDue(now: now) {
      guard let connection = connection(for: due.token), connection.scheduled == due.milliseconds
      else { continue }
      connection.scheduled = nil
      expire(connection)
    }
  }

  private func handle(_ event: Epoll.Event) {
    guard event.token.generation > 0 else { return Syscalls.eventClear(resources.wakeup.number) }
    guard let connection = connection(for: event.token) else { return }
    let isOver = event.isBroken || event.isHungUp
    connection.isReadable = connection.isReadable || event.isReadable || isOver
    connection.isEnding = connection.isEnding || event.isEnding || isOver
    connection.isWritable = connection.isWritable || event.isWritable
    switch connection.phase {
    case .connecting:
      if event.isWritable || isOver { finishConnecting(connection) }
    // Without a request, a server sends only the end of the connection.
    case .idle: if connection.isReadable || isOver { close(connection) }
    case .busy: pump(connection)
    }
  }

  /// Carries out the orders of the other thread for an exchange.
  private func obey(_ exchange: UpstreamExchange) {
    let orders = exchange.popOrders()
    guard let connection = owners[ObjectIdentifier(exchange)].flatMap(connection(for:)) else {
      return obey(orders, unconnected: exchange)
    }
    if orders.isCancelled {
      metrics.count(.cancelled)
      Syscalls.resetOnClose(connection.descriptor.number)
      return close(connection)
    }
    if orders.hasClientFinished { connection.isSendingLast = true }
    if connection.phase == .busy { pump(connection) }
  }

  private func obey(_ orders: UpstreamExchange.Orders, unconnected exchange: UpstreamExchange) {
    let place = pools[exchange.address]?.waiting.firstIndex { $0 === exchange }
    guard orders.isCancelled else {
      if place == nil { connect(exchange, fresh: false) }
      return
    }
    if let place { pools[exchange.address]?.waiting.remove(at: place) }
    metrics.count(.cancelled)
  }

  /// Returns the connection of a token, or nil if it is closed.
  func connection(for token: EventToken) -> UpstreamConnection? {
    let index = Int(token.descriptor)
    guard index < connections.count, let connection = connections[index],
      connection.token == token
    else { return nil }
    return connection
  }

  /// Schedules the next expiry of a connection.
  func schedule(_ connection: UpstreamConnection) {
    guard let deadline = connection.deadline(options) else { return }
    if let scheduled = connection.scheduled, scheduled <= deadline { return }
    connection.scheduled = deadline
    timers.insert(connection.token, at: deadline)
  }

  private func expire(_ connection: UpstreamConnection) {
    guard let deadline = connection.deadline(options) else { return }
    guard deadline <= now else { return schedule(connection) }
    switch connection.phase {
    case .connecting: failConnecting(connection)
    case .idle: close(connection)
    case .busy:
      Syscalls.resetOnClose(connection.descriptor.number)
      fail(connection, isFinal: true)
    }
  }

  /// Returns the generation of the next connection.
  ///
  /// After the maximum it starts again at 1.
  func nextGeneration() -> UInt32 {
    lastGeneration = lastGeneration == .max ? 1 : lastGeneration + 1
    return lastGeneration
  }
}
