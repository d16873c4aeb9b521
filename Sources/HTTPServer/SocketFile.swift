/// The file of a Unix socket on which this process listens.
///
/// Its owner's release removes the file, unless another file has replaced it meanwhile.
struct SocketFile: ~Copyable, Sendable {
  private let path: String
  private let identity: Syscalls.FileIdentity?

  /// Takes ownership of the file of a socket that has just been bound.
  init(of socket: LocalSocket) {
    path = socket.path
    identity = Syscalls.identity(ofFile: socket.path)
  }

  deinit {
    if let identity, Syscalls.identity(ofFile: path) == identity { Syscalls.removeFile(path) }
  }
}
