import Glibc

/// A TCP port that this process has bound, and does not listen on yet.
///
/// Binding fails if another process listens on the port. Until the server listens, connections are
/// refused, not reset.
package struct BoundPort: ~Copyable, Sendable {
  /// The port.
  ///
  /// If 0 was requested, it is the assigned one.
  package let number: UInt16

  let address: SocketAddress
  private let first: FileDescriptor

  /// Binds the port of the options; returns nil if they name none.
  ///
  /// - Throws: ``ServerError`` if the address is malformed or cannot be bound.
  package static func bind(_ options: ServerOptions) throws(ServerError) -> BoundPort? {
    if options.passed != nil { return nil }
    if options.host.isEmpty, options.localSocket != nil { return nil }
    guard let address = SocketAddress(host: options.host, port: options.port) else {
      throw .invalidHost(options.host)
    }
    do throws(SystemError) {
      let first = try Syscalls.bind(to: address, sharesPort: false)
      let number = try Syscalls.port(of: first.number)
      // If port 0 was requested, the other sockets must use the assigned port.
      guard let address = SocketAddress(host: options.host, port: number) else { return nil }
      return BoundPort(number: number, address: address, first: first)
    } catch {
      throw error.code == EADDRINUSE ? .portInUse(options.port) : .system(error)
    }
  }

  /// Listens with one socket for each event loop; the kernel distributes connections among them.
  ///
  /// The bound socket listens first, before the port is shared. Otherwise another server of the
  /// same user that shares the port would go unnoticed, because it would share with these sockets,
  /// too.
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
