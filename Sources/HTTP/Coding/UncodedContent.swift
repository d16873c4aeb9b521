/// Content, or a piece of it, that is to be coded as gzip before it is sent.
public struct UncodedContent: Sendable {
  /// The bytes; there may be none in the last piece of a stream.
  public let bytes: [UInt8]
  /// Whether nothing of the content came before.
  public let isFirst: Bool
  /// Whether nothing of it comes behind.
  public let isLast: Bool
  /// Whether it can be sent as it is instead: nothing is begun, and its client takes that.
  public let canBeLeft: Bool

  /// Whether it is all of the content: it may then take its time.
  public var isWhole: Bool { isFirst && isLast }
}
