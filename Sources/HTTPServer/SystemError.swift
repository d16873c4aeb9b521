import Glibc

/// A failed system call.
package struct SystemError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The call, such as `bind`.
  package let call: String
  /// The value of `errno`.
  package let code: Int32

  /// True if opening failed because the file is a pipe without a reader.
  package var hasNoReader: Bool { code == ENXIO }

  /// The call and the system's text for the error.
  package var description: String { "\(call): \(Syscalls.message(for: code))" }
}
