import Coding
import HTTP
import Synchronization

/// Content that is coded elsewhere while its connection waits.
final class CodingJob: Sendable {
  private let result = Mutex<[UInt8]?>(nil)

  /// Codes the content, and leaves what becomes of it to be taken.
  func code(_ content: UncodedContent) {
    var encoder = GzipEncoder(level: EventLoop.gzipLevel)
    let bytes = encoder.encode(content.bytes)
    result.withLock { $0 = bytes }
  }

  /// What the content became, once it is coded; nil the second time.
  func take() -> [UInt8]? { result.withLock { $0.take() } }
}
