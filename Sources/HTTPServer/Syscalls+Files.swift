import Glibc

extension Syscalls {
  /// The descriptor of the standard error.
  static let standardError = STDERR_FILENO

  /// Opens a file to append to, for its user alone; makes it where there is none.
  ///
  /// A pipe from which nobody reads is refused; to open that would wait.
  static func openLog(_ path: String) throws(SystemError) -> FileDescriptor {
    let flags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK
    let file = FileDescriptor(owning: try checked("open") { unsafe open(path, flags, 0o600) })
    // To write may wait.
    _ = try checked("fcntl") { fcntl(file.number, F_SETFL, O_APPEND) }
    return file
  }

  /// Writes to a file, waiting if it must; returns how many bytes it took, nil if it takes none.
  static func write(_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) -> Int? {
    let (count, _) = unsafe bytes.withUnsafeBytes { bytes in
      retrying { unsafe Glibc.write(descriptor, bytes.baseAddress, bytes.count) }
    }
    return count > 0 ? count : nil
  }
}
