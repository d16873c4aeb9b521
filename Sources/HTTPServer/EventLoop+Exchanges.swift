import HTTP

/// Records of exchanges.
extension EventLoop {
  /// Counts an exchange that is over, and logs it if there is a log.
  func record(_ exchange: ExchangeRecord, of connection: Connection) {
    let now = Syscalls.monotonicNanoseconds()
    metrics.count(exchange, at: now)
    recordRefusal(in: exchange, of: connection)
    guard let log = settings.log else { return }
    var exchange = exchange
    exchange.identify { settings.handler.caller(of: $0) }
    log.append(
      exchange.logLine(
        route: settings.router.labels[exchange.route.index],
        remote: exchange.client(by: settings.handler.client) ?? connection.remote,
        unixMilliseconds: Syscalls.unixMilliseconds(),
        nanoseconds: now - exchange.begin
      )
    )
  }

  /// Records the caller of a request, if there is a log.
  func identify(_ request: Request, _ state: inout ConnectionState) {
    guard settings.log != nil else { return }
    state.identify(settings.handler.caller(of: request))
  }

  /// Updates the count of requests in progress.
  func recordInFlight(_ connection: Connection, _ isInFlight: Bool) {
    guard isInFlight != connection.isInFlight else { return }
    connection.isInFlight = isInFlight
    metrics.add(isInFlight ? 1 : -1, to: .inFlight)
  }
}
