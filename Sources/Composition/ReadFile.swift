private import CLinux
private import Glibc

/// Reads a whole file of text.
///
/// A byte order mark in front, which some editors write, is left out (RFC 3629, section 6).
///
/// - Parameters:
///   - path: The path of the file.
///   - limit: The maximum size in bytes.
/// - Returns: The content of the file.
/// - Throws: ``ConfigurationError/unreadable(path:reason:)`` if the file cannot be read, is larger
///   than the limit, or is a pipe without a writer.
func readFile(_ path: String, limit: Int) throws(ConfigurationError) -> [UInt8] {
  // Opening a pipe must not wait for a writer; reading from it may.
  let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
  guard descriptor >= 0 else { throw .unreadable(path: path, reason: lastSystemError()) }
  defer { close(descriptor) }
  _ = fcntl(descriptor, F_SETFL, 0)
  var bytes: [UInt8] = []
  var block = [UInt8](repeating: 0, count: 65_536)
  while true {
    let count = unsafe block.withUnsafeMutableBytes { buffer in
      unsafe read(descriptor, buffer.baseAddress, buffer.count)
    }
    if count < 0 && errno == EINTR { continue }
    guard count >= 0 else { throw .unreadable(path: path, reason: lastSystemError()) }
    guard count > 0 else {
      guard !bytes.isEmpty || !isPipe(descriptor) else {
        throw .unreadable(path: path, reason: "it is a pipe, and nobody writes to it")
      }
      return bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    }
    bytes += block[..<count]
    guard bytes.count <= limit else {
      throw .unreadable(path: path, reason: "it is larger than \(limit) bytes")
    }
  }
}

/// Returns the permissions of an ordinary file, as chmod(1) takes them; nil if there is none.
func permissions(ofFile path: String) -> Int? {
  var status = stat()
  guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
  return Int(status.st_mode & 0o777)
}

/// Returns true for an ordinary file, false for anything else, and nil if nothing is there.
func isOrdinaryFile(_ path: String) -> Bool? {
  var status = stat()
  return unsafe stat(path, &status) == 0 ? status.st_mode & S_IFMT == S_IFREG : nil
}

private func isPipe(_ descriptor: Int32) -> Bool {
  var status = stat()
  return unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
}

/// Returns the message of the last system call that failed, from `errno`.
private func lastSystemError() -> String { unsafe String(cString: clinux_error_text(errno)) }
