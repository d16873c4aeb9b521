private import Glibc

/// A stream of the process, written to at once: whoever waits for a line sees it.
enum StandardStream: Int32 {
  case input = 0
  case output = 1
  case error = 2

  /// Has each stream that the process was started without lead nowhere, or what is opened next is
  /// taken for it: a database, say, into which the next message would go.
  ///
  /// To be called before anything is opened.
  static func openMissing() {
    for stream in [input, output, error] where fcntl(stream.rawValue, F_GETFD) < 0 {
      // The system gives out the lowest number that is free.
      _ = unsafe open("/dev/null", O_RDWR)
    }
  }

  /// Writes a text.
  ///
  /// What cannot be written is dropped: a closed terminal is no reason to stop serving.
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
