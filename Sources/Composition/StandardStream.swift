private import Glibc

/// A standard stream of the process, written without a buffer.
enum StandardStream: Int32 {
  case input = 0
  case output = 1
  case error = 2

  /// Opens each missing standard stream on `/dev/null`.
  ///
  /// Otherwise the next file that is opened gets its number, and messages would be written to it:
  /// to the database, for example.
  ///
  /// - Precondition: No file has been opened yet.
  static func openMissing() {
    for stream in [input, output, error] where fcntl(stream.rawValue, F_GETFD) < 0 {
      // The system assigns the lowest free number.
      _ = unsafe open("/dev/null", O_RDWR)
    }
  }

  /// Writes text.
  ///
  /// Text that cannot be written is dropped, because a closed terminal is no reason to stop
  /// serving.
  func write(_ text: String) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { buffer in
        unsafe Glibc.write(rawValue, buffer.baseAddress, buffer.count)
      }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}
