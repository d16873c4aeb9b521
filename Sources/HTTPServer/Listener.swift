/// A listening socket, closed when the last reference to it goes.
final class Listener: Sendable {
  let descriptor: FileDescriptor

  init(on address: SocketAddress, backlog: Int) throws(SystemError) {
    descriptor = try Syscalls.listen(on: address, backlog: backlog, isShared: true)
  }
}
