import Foundation
import Glibc

extension Pipe {
  /// Waits for what comes next, no longer than a minute.
  ///
  /// Foundation's own way of reading waits until there is as much as was asked for.
  ///
  /// - Returns: What has come, no bytes at the end; nil where nothing comes.
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
