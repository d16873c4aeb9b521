import Glibc

/// A TCP port that this process has bound, and does not listen on yet.
///
/// A port that another process listens on is reported when this is made. Clients are refused, not
/// reset, until the server listens.
public struct BoundPort: ~Copyable, Sendable {
  /// The port, the one taken if 0 was asked for.
  public let number: UInt16

  let address: SocketAddress
  private let first: FileDescriptor

  /// Binds the port of the options; returns nil if they name none.
  ///
  /// - Throws: ``ServerError`` if the address is malformed, or cannot be bound.
  public static func bind(_ options: ServerOptions) throws(ServerError) -> BoundPort? {
    if options.passed != nil { return nil }
    if options.host.isEmpty, options.localSocket != nil { return nil }
    guard let address = SocketAddress(host: options.host, port: options.port) else {
      throw .invalidHost(options.host)
    }
    do throws(SystemError) {
      let first = try Syscalls.bind(to: address, sharesPort: false)
      let number = try Syscalls.port(of: first.number)
      // With the number that was taken, if any was asked for.
      guard let address = SocketAddress(host: options.host, port: number) else { return nil }
      return BoundPort(number: number, address: address, first: first)
    } catch {
      throw error.code == EADDRINUSE ? .portInUse(options.port) : .system(error)
    }
  }

  /// Listens, with one socket for each loop, among which the kernel spreads connections.
  ///
  /// The bound socket listens first and alone. So another server of the same user that shares the
  /// port would be found; sockets that share a port also share it with such a server.
  consuming func listen(
    for resources: [LoopResources],
    acceptBacklog: Int,
    silenceMilliseconds: Int
  ) throws(SystemError) {
    try Syscalls.prepareListener(first.number, silenceMilliseconds: silenceMilliseconds)
    try Syscalls.listen(first.number, acceptBacklog: acceptBacklog)
    try Syscalls.sharePort(first.number)
    for resources in resources.dropFirst() {
      let next = try Syscalls.bind(to: address, sharesPort: true)
      try Syscalls.prepareListener(next.number, silenceMilliseconds: silenceMilliseconds)
      try Syscalls.listen(next.number, acceptBacklog: acceptBacklog)
      resources.add(Listener(owning: next))
    }
    resources[0].add(Listener(owning: first))
  }
}
