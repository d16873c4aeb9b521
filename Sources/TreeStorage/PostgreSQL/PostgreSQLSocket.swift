internal import Glibc

/// The socket of a connection, which one thread can shut down while another waits for an answer.
///
/// It is a copy of the library's descriptor, which the library may close at any time.
final class PostgreSQLSocket: Sendable {
  /// The descriptor; -1 if there is none.
  let descriptor: Int32

  init(copying descriptor: Int32) {
    self.descriptor = descriptor < 0 ? -1 : fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Ends the connection at once, so that no thread waits for its answers.
  ///
  /// Nothing is cancelled: the server finishes what it has received.
  func shutDown() { if descriptor >= 0 { shutdown(descriptor, Int32(SHUT_RDWR)) } }
}
