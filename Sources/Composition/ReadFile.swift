private import Glibc

/// Reads a whole file.
///
/// - Parameters:
///   - path: The file.
///   - limit: The most bytes it may have.
/// - Returns: Its bytes.
/// - Throws: ``ConfigurationError/unreadable(path:reason:)`` when it cannot be opened or read, or
///   is larger than the limit.
func readFile(_ path: String, limit: Int) throws(ConfigurationError) -> [UInt8] {
  let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { throw .unreadable(path: path, reason: lastSystemError()) }
  defer { close(descriptor) }
  var bytes: [UInt8] = []
  var block = [UInt8](repeating: 0, count: 65_536)
  while true {
    let count = unsafe block.withUnsafeMutableBytes { buffer in
      unsafe read(descriptor, buffer.baseAddress, buffer.count)
    }
    if count < 0 && errno == EINTR { continue }
    guard count >= 0 else { throw .unreadable(path: path, reason: lastSystemError()) }
    guard count > 0 else { return bytes }
    bytes += block[..<count]
    guard bytes.count <= limit else {
      throw .unreadable(path: path, reason: "it is larger than \(limit) bytes")
    }
  }
}

/// What the last failed system call says went wrong.
private func lastSystemError() -> String {
  let number = errno
  guard let text = unsafe strerror(number) else { return "error \(number)" }
  return unsafe String(cString: text)
}
