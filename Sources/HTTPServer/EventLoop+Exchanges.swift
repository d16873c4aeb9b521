import HTTP

/// Telling of what was asked and answered.
extension EventLoop {
  /// Counts an exchange that is over, and has it written down where there is a log.
  func record(_ exchange: ExchangeRecord, of connection: Connection) {
    let now = Syscalls.monotonicNanoseconds()
    metrics.count(exchange, at: now)
    noteRefusal(in: exchange, of: connection)
    guard let log = settings.log else { return }
    var exchange = exchange
    exchange.identify { settings.handler.caller(of: $0) }
    log.append(
      exchange.logLine(
        route: settings.router.labels[exchange.route.index],
        remote: connection.remote,
        unixMilliseconds: Syscalls.unixMilliseconds(),
        nanoseconds: now - exchange.begin
      )
    )
  }

  /// Notes who asks, where there is a log to tell it.
  func identify(_ request: Request, _ state: inout ConnectionState) {
    guard settings.log != nil else { return }
    state.identify(settings.handler.caller(of: request))
  }

  /// Counts the connection among those in the middle of an exchange, or no more.
  func noteInFlight(_ connection: Connection, _ isInFlight: Bool) {
    guard isInFlight != connection.isInFlight else { return }
    connection.isInFlight = isInFlight
    metrics.add(isInFlight ? 1 : -1, to: .inFlight)
  }
}
