import Glibc

/// A system call that failed while the server was being set up.
public struct SystemError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The call, such as `bind`.
  public let call: String
  /// The value of `errno`.
  public let code: Int32

  /// Whether what was to be opened is a pipe from which nobody reads.
  public var hasNoReader: Bool { code == ENXIO }

  /// The call and what the system says about it.
  public var description: String { "\(call): \(Syscalls.message(for: code))" }
}
