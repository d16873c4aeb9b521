import Glibc

/// A failed system call.
public struct SystemError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The call, such as `bind`.
  public let call: String
  /// The value of `errno`.
  public let code: Int32

  /// True if opening failed because the file is a pipe without a reader.
  public var hasNoReader: Bool { code == ENXIO }

  /// The call and the system's text for the error.
  public var description: String { "\(call): \(Syscalls.message(for: code))" }
}
