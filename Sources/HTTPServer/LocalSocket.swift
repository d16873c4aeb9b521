/// The path and permissions of a Unix socket (unix(7)).
package struct LocalSocket: Equatable, Sendable {
  /// The maximum length of a path in bytes: the size of `sun_path` without the final NUL.
  package static let maxPathBytes = 107

  /// The path of the socket's file.
  package let path: String
  /// The permissions of the file as in chmod(2).
  ///
  /// Write permission is required to connect.
  package let mode: UInt32

  /// Creates a description of a socket.
  ///
  /// The result is nil if the path is empty, longer than ``maxPathBytes``, or contains NUL.
  package init?(path: String, mode: UInt32) {
    guard 1...Self.maxPathBytes ~= path.utf8.count, !path.utf8.contains(0) else { return nil }
    self.path = path
    self.mode = mode
  }
}

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
