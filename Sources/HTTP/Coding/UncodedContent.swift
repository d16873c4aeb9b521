/// Content, or a piece of it, that must be encoded as gzip before it is sent.
package struct UncodedContent: Sendable {
  /// The bytes.
  ///
  /// The last piece of a stream may be empty.
  package let bytes: [UInt8]
  /// True if this is the first piece of the content.
  package let isFirst: Bool
  /// True if this is the last piece of the content.
  package let isLast: Bool
  /// True if it may be sent without encoding.
  ///
  /// This requires that the head is not sent yet, and that the client accepts unencoded content.
  package let canBeLeft: Bool

  /// True if this is the whole content, which may be encoded by another thread.
  package var isWhole: Bool { isFirst && isLast }
}
