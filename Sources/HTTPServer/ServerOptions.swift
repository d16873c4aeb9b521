package import HTTP

/// The options of a server.
package struct ServerOptions: Sendable {
  /// A numeric IPv4 or IPv6 address, or `localhost`; empty to listen only on a Unix socket.
  package var host = "127.0.0.1"
  /// The port; 0 for any free one.
  package var port: UInt16 = 8080
  /// An additional Unix socket to listen on; nil for none.
  ///
  /// It counts as a loopback address.
  package var localSocket: LocalSocket?
  /// The sockets passed by a service manager; nil for none.
  ///
  /// They replace host, port and Unix socket.
  package var passed: PassedSockets?
  /// The number of event loops, each with its own thread; 0 for one a processor.
  package var loops = 0
  /// The maximum number of open connections.
  ///
  /// At the limit, an idle connection is closed for a new one. If the loop has no idle connection,
  /// the new one gets 503, and another loop closes one for the next attempt.
  package var maxConnections = 16_384
  /// The descriptors that a connection may need: one more where its request may be forwarded.
  package var descriptorsPerConnection = 1
  /// The number of descriptors for other uses: storage, logs, standard streams.
  package var otherDescriptors = 64
  /// The maximum number of open connections from one address (for IPv6 a network of 64 bits); 0 for
  /// no limit.
  ///
  /// Further connections get 429.
  package var maxConnectionsPerAddress = 64
  /// The number of refused credentials a minute after which an address is blocked; 0 for no limit.
  ///
  /// While it is blocked, requests with any credentials get 429.
  package var maxRefusedCredentialsPerAddress = 60
  /// True to exempt this machine from both limits by address, because a proxy serves many clients.
  package var exemptsLoopback = true
  /// The maximum number of bytes held by all connections, for unanswered requests and unsent
  /// responses.
  ///
  /// Beyond it, new requests get 503, except those that the handler calls vital.
  package var maxBufferedBytes = 256 * 1024 * 1024
  /// The maximum number of connections pending to be accepted, for each event loop.
  package var acceptBacklog = 512
  /// The options for gzip; nil for no encoding.
  package var coding: CodingOptions?
  /// The time in microseconds that an event loop polls for an imminent response before it sleeps.
  ///
  /// A loop polls for the next request for at most 50 µs. With 0, it never polls.
  package var maxSpinMicroseconds = 500
  /// The hosts that requests may name; nil for a default.
  ///
  /// By default only loopback names are allowed if the server can only be reached from this
  /// machine, else any name.
  package var hosts: HostRule?

  /// Creates the default options.
  package init() {}
}

extension ServerOptions {
  /// Returns true if connections are counted by address.
  ///
  /// `isLoopback` is true if only this machine can connect.
  func countsConnections(isLoopback: Bool) -> Bool {
    maxConnectionsPerAddress > 0 && !(exemptsLoopback && isLoopback)
  }

  /// Returns true if refused credentials are counted by address.
  ///
  /// `isLoopback` is true if only this machine can connect.
  func countsRefusals(isLoopback: Bool) -> Bool {
    maxRefusedCredentialsPerAddress > 0 && !(exemptsLoopback && isLoopback)
  }
}
