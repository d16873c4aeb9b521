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
