/// Content, or a piece of it, that must be encoded as gzip before it is sent.
public struct UncodedContent: Sendable {
  /// The bytes.
  ///
  /// The last piece of a stream may be empty.
  public let bytes: [UInt8]
  /// True if this is the first piece of the content.
  public let isFirst: Bool
  /// True if this is the last piece of the content.
  public let isLast: Bool
  /// True if it may be sent without encoding.
  ///
  /// This requires that the head is not sent yet, and that the client accepts unencoded content.
  public let canBeLeft: Bool

  /// True if this is the whole content, which may be encoded by another thread.
  public var isWhole: Bool { isFirst && isLast }
}
