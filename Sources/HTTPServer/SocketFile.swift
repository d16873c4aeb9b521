/// The file of a Unix socket on which this process listens.
///
/// It has one owner and is removed when that owner lets go of it, unless another one has taken its
/// place meanwhile.
struct SocketFile: ~Copyable, Sendable {
  private let path: String
  private let identity: Syscalls.FileIdentity?

  /// Takes over the file of a socket that has just been bound.
  init(of socket: LocalSocket) {
    path = socket.path
    identity = Syscalls.identity(ofFile: socket.path)
  }

  deinit {
    if let identity, Syscalls.identity(ofFile: path) == identity { Syscalls.removeFile(path) }
  }
}
