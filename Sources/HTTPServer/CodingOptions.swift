internal import Coding
public import HTTP

/// Which answers the server codes as gzip, and who does it.
public struct CodingOptions: Sendable {
  /// Has work done elsewhere, and does not wait for it; false if there is no room for more.
  public typealias Runner = @Sendable (@escaping @Sendable () -> Void) -> Bool

  /// Which answers.
  public var policy = CodingPolicy()
  /// The most bytes of content that the loop itself codes, unless it is a piece of a stream.
  public var heavyBytes = 65_536
  /// Has longer content coded, by default at once.
  public var run: Runner = { work in
    work()
    return true
  }

  /// The defaults.
  public init() {}

  /// Compresses content as far as possible, for content that is compressed once and sent often.
  ///
  /// - Complexity: O(length of the content), some 60 ns a byte.
  public static func compressThoroughly(_ content: [UInt8]) -> [UInt8] {
    var encoder = GzipEncoder(level: 9)
    return encoder.encode(content)
  }
}
