/// The connections to one server, and the exchanges that wait for one.
struct UpstreamPool {
  /// The address; nil if the text of it is none.
  let address: SocketAddress?
  /// The idle connections, the one used last at the end.
  var idle: [EventToken] = []
  /// The number of connections that are being established.
  var connecting = 0
  /// The exchanges that wait for a connection, in order.
  var waiting: [UpstreamExchange] = []

  /// Creates the pool of an address as `host:port`.
  init(_ text: String) { address = Upstream.address(text) }

  /// True if nothing is left to remember.
  var isEmpty: Bool { idle.isEmpty && connecting == 0 && waiting.isEmpty }
}
