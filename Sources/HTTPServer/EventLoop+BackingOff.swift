import HTTP

// Addresses from which credentials are refused again and again.
extension EventLoop {
  /// The answer to a request that shows credentials, from an address that is to wait before it does
  /// so again; nil for all others.
  ///
  /// Good credentials wait, too: were they let through, each guess would be answered. Only a
  /// connection on which some were shown before goes on, until the first that are refused; of such
  /// a guesser gets no new one.
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
  func noteRefusal(in exchange: ExchangeRecord, of connection: Connection) {
    guard connection.showsCredentials, exchange.status == .unauthorized,
      let network = connection.network
    else { return }
    connection.isTrusted = false
    settings.refusedCredentials?.note(network, at: clock.now.milliseconds)
  }
}
