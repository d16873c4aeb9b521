import Glibc

extension Syscalls {
  /// The descriptor of the standard error stream.
  static let standardError = STDERR_FILENO

  /// Opens a file for appending, and creates it with access for its owner only if necessary.
  ///
  /// A pipe without a reader is refused, because opening it would block.
  static func openLog(_ path: String) throws(SystemError) -> FileDescriptor {
    let flags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK
    let file = FileDescriptor(owning: try checked("open") { unsafe open(path, flags, 0o600) })
    // Unlike opening, writing may block.
    _ = try checked("fcntl") { fcntl(file.number, F_SETFL, O_APPEND) }
    return file
  }

  /// Writes to a file, blocking if necessary; returns the number of bytes, or nil on failure.
  static func write(_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) -> Int? {
    let (count, _) = unsafe bytes.withUnsafeBytes { bytes in
      retrying { unsafe Glibc.write(descriptor, bytes.baseAddress, bytes.count) }
    }
    return count > 0 ? count : nil
  }
}
