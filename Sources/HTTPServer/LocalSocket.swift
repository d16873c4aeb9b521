/// The path and permissions of a Unix socket (unix(7)).
public struct LocalSocket: Equatable, Sendable {
  /// The maximum length of a path in bytes: the size of `sun_path` without the final NUL.
  public static let maxPathBytes = 107

  /// The path of the socket's file.
  public let path: String
  /// The permissions of the file as in chmod(2).
  ///
  /// Write permission is required to connect.
  public let mode: UInt32

  /// Creates a description of a socket.
  ///
  /// The result is nil if the path is empty, longer than ``maxPathBytes``, or contains NUL.
  public init?(path: String, mode: UInt32) {
    guard 1...Self.maxPathBytes ~= path.utf8.count, !path.utf8.contains(0) else { return nil }
    self.path = path
    self.mode = mode
  }
}
