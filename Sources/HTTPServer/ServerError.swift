import Glibc

/// The reason why a server cannot be started.
package enum ServerError: Error, Equatable, Sendable {
  /// The host is neither a numeric address nor `localhost`.
  case invalidHost(String)
  /// Another socket already listens on this port.
  case portInUse(UInt16)
  /// Another process already listens on the Unix socket with this path.
  case socketInUse(String)
  /// Another process keeps the lock for the Unix socket with this path.
  case socketLocked(String)
  /// The file at this path is not a Unix socket, and is not removed.
  case notASocket(String)
  /// The system refused to open the Unix socket with this path.
  case socket(path: String, SystemError)
  /// The allowed number of descriptors leaves less than one connection for each event loop.
  case tooFewDescriptors(allowed: Int, loops: Int)
  /// Another system call failed.
  case system(SystemError)
}

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
