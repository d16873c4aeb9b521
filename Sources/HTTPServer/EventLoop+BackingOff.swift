import HTTP

// Blocking of addresses whose credentials are refused again and again.
extension EventLoop {
  /// Exempts a connection of another server of the same service from the limits by address.
  ///
  /// The other server applies them to its clients.
  func exemptIfForwarded(_ request: Request, on connection: Connection) {
    guard let network = connection.network, settings.handler.isForwarded(request.fields) else {
      return
    }
    settings.addresses?.leave(network)
    connection.network = nil
    connection.showsCredentials = false
  }

  /// Returns the 429 response for a request with credentials from a blocked address, else nil.
  ///
  /// Valid credentials are blocked, too; otherwise each guess would get an answer. Only connections
  /// on which valid credentials were used before may continue, until credentials are refused on
  /// them. An attacker cannot get a new connection of that kind.
  func waitResponse(to request: Request, on connection: Connection) -> Response? {
    guard let refused = settings.refusedCredentials, let network = connection.network else {
      return nil
    }
    connection.showsCredentials = request.fields.contains(.authorization)
    guard connection.showsCredentials, !settings.handler.isVital(request) else { return nil }
    guard let seconds = refused.secondsLeft(for: network, at: clock.now.milliseconds) else {
      if !connection.isTrusted {
        connection.isTrusted = settings.handler.caller(of: request) != nil
      }
      return nil
    }
    return connection.isTrusted ? nil : Problem.tooManyRefusals(retryAfter: seconds).response
  }

  /// Counts an exchange in which credentials were refused.
  func recordRefusal(in exchange: ExchangeRecord, of connection: Connection) {
    guard connection.showsCredentials, exchange.status == .unauthorized,
      let network = connection.network
    else { return }
    connection.isTrusted = false
    settings.refusedCredentials?.record(network, at: clock.now.milliseconds)
  }
}
