public import HTTP

/// Where and how a server listens.
public struct ServerOptions: Sendable {
  /// A numeric IPv4 or IPv6 address, or `localhost`; empty where only a Unix socket is listened on.
  public var host = "127.0.0.1"
  /// The port; 0 takes a free one.
  public var port: UInt16 = 8080
  /// A Unix socket that is listened on as well; nil for none.
  ///
  /// It counts as this machine's own address.
  public var localSocket: LocalSocket?
  /// Sockets that a service manager passed; nil for none.
  ///
  /// They take the place of the host, the port and the Unix socket.
  public var passed: PassedSockets?
  /// The number of event loops, each with a thread; 0 is one a processor.
  public var loops = 0
  /// How many connections are open at once.
  ///
  /// To make room for another, one that is kept idle is closed; if its loop has none, the new one
  /// is answered with 503, and one of another loop closed for who comes again.
  public var maxConnections = 16_384
  /// How many connections are open at once from one address (IPv6: from one network of 64 bits); 0
  /// for any number.
  ///
  /// One more is answered with 429.
  public var maxConnectionsPerAddress = 64
  /// How often a minute credentials from one address are refused before it is to wait, whoever
  /// shows some then; 0 for any number.
  ///
  /// Until then requests with credentials are answered with 429.
  public var maxRefusedCredentialsPerAddress = 60
  /// Whether this machine is not counted so, either way: a proxy may stand before many.
  public var exemptsLoopback = true
  /// How many bytes are held for all connections together: of requests that are not answered, of
  /// answers that are not sent.
  ///
  /// Over: new requests are answered with 503, but for those the handler calls vital.
  public var maxBufferedBytes = 256 * 1024 * 1024
  /// How many connections may wait to be accepted, for each loop.
  public var acceptBacklog = 512
  /// Which answers are coded as gzip; nil for none.
  public var coding: CodingOptions?
  /// The stack of a loop's thread, on which handlers run, in bytes.
  public var stackBytes = 8 * 1024 * 1024
  /// For how long a loop looks again and again for an answer that is near before it sleeps, and for
  /// up to 50 µs of it for a request; 0: not at all.
  public var maxSpinMicroseconds = 500
  /// Which hosts requests may name; nil lets in loopback names only where no more than this machine
  /// is listened to, and any name elsewhere.
  public var hosts: HostRule?

  /// The defaults.
  public init() {}
}

extension ServerOptions {
  /// Returns true if connections are counted by the address that they come from, where only this
  /// machine can connect, or others, too.
  func countsConnections(isLoopback: Bool) -> Bool {
    maxConnectionsPerAddress > 0 && !(exemptsLoopback && isLoopback)
  }

  /// Returns true if refused credentials are counted by address, under the same condition.
  func countsRefusals(isLoopback: Bool) -> Bool {
    maxRefusedCredentialsPerAddress > 0 && !(exemptsLoopback && isLoopback)
  }
}
