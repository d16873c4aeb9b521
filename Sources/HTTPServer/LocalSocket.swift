/// Where a Unix socket is to lie (unix(7)), and who may connect to it.
public struct LocalSocket: Equatable, Sendable {
  /// The longest path that the system takes, in bytes: `sun_path` with a NUL at its end.
  public static let maxPathBytes = 107

  /// The path of its file.
  public let path: String
  /// The permissions of that file, as chmod(2) takes them: who may write to it may connect.
  public let mode: UInt32

  /// A socket in the file system.
  ///
  /// Nil where the path is empty, longer than ``maxPathBytes``, or has a NUL.
  public init?(path: String, mode: UInt32) {
    guard 1...Self.maxPathBytes ~= path.utf8.count, !path.utf8.contains(0) else { return nil }
    self.path = path
    self.mode = mode
  }
}
