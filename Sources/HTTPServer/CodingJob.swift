import Coding
import HTTP
import Synchronization

/// The encoding of content by another thread while the connection waits.
final class CodingJob: Sendable {
  private let result = Mutex<[UInt8]?>(nil)

  /// Encodes the content and keeps the result for ``take()``.
  func code(_ content: UncodedContent) {
    var encoder = GzipEncoder(level: EventLoop.gzipLevel)
    let bytes = encoder.encode(content.bytes)
    result.withLock { $0 = bytes }
  }

  /// Removes and returns the result, if it is ready.
  func take() -> [UInt8]? { result.withLock { $0.take() } }
}
