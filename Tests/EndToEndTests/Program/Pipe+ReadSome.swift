import Foundation
import Glibc

extension Pipe {
  /// Waits up to a minute for data, and returns it.
  ///
  /// Foundation's reading methods wait for as many bytes as were requested.
  ///
  /// - Returns: The data, empty at the end of the file; nil after a minute without data.
  func readSome() -> [UInt8]? {
    let descriptor = fileHandleForReading.fileDescriptor
    var interest = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&interest, 1, 60_000) > 0 else { return nil }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = unsafe buffer.withUnsafeMutableBytes { bytes in
      unsafe Glibc.read(descriptor, bytes.baseAddress, bytes.count)
    }
    return Array(buffer[..<max(0, count)])
  }
}
