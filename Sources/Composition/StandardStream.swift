private import Glibc

/// A stream of the process, written to at once: whoever waits for a line sees it.
enum StandardStream: Int32 {
  case output = 1
  case error = 2

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
