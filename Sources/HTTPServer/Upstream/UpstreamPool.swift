/// The connections to one server, and the exchanges that wait for one.
struct UpstreamPool {
  /// The address; nil if its text is malformed.
  let address: SocketAddress?
  /// The idle connections, the one used last at the end.
  var idle: [EventToken] = []
  /// The number of connections that are being established.
  var connecting = 0
  /// The exchanges that wait for a connection, in order.
  var waiting: [UpstreamExchange] = []

  /// Creates the pool of an address as `host:port`.
  init(_ text: String) { address = Upstream.address(text) }

  /// True if it has neither connections nor waiting exchanges, so that it can be removed.
  var isEmpty: Bool { idle.isEmpty && connecting == 0 && waiting.isEmpty }
}
