internal import Coding
package import HTTP

/// The options for encoding responses as gzip.
package struct CodingOptions: Sendable {
  /// Runs a closure asynchronously; returns false if it cannot accept more work.
  package typealias Runner = @Sendable (@escaping @Sendable () -> Void) -> Bool

  /// The rule for choosing responses.
  package var policy = CodingPolicy()
  /// Runs the encoding of longer content.
  ///
  /// By default it runs at once.
  package var run: Runner = { work in
    work()
    return true
  }

  /// Creates the default options.
  package init() {}

  /// Compresses content as far as possible, for content that is compressed once and sent often.
  ///
  /// - Complexity: O(length of the content), about 60 ns a byte.
  package static func compressThoroughly(_ content: [UInt8]) -> [UInt8] {
    var encoder = GzipEncoder(level: 9)
    return encoder.encode(content)
  }
}
