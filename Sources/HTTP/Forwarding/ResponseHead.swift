/// A status line and header fields, and their meaning for the content and the connection.
package struct ResponseHead: Sendable {
  /// The framing of the content (RFC 9112, 6.3).
  package enum Framing: Equatable, Sendable {
    /// There is no content, even if the fields announce some.
    case none
    /// A known length in bytes.
    case length(Int)
    /// Content in chunks.
    case chunked
    /// The end of the connection ends the content.
    case untilClose
  }

  /// The status.
  package let status: Status
  /// The fields, in the order received.
  package let fields: Fields
  /// The framing of the content.
  package let framing: Framing
  /// True if the fields announce chunks, also for a response to HEAD.
  package let announcesChunks: Bool
  /// The length that the fields announce, in bytes, also for a response to HEAD.
  package let announcedBytes: Int?
  /// True if the connection stays open after the response (RFC 9112, 9.3).
  package let keepsAlive: Bool

  /// True if another response to the same request follows (RFC 9110, 15.2).
  package var isInterim: Bool { status.code < 200 }
}

extension FramingFields {
  /// Returns the framing of a response's content, given that of the fields alone.
  func framing(
    of status: Status,
    _ framing: RequestHead.Framing,
    toHead isToHead: Bool
  ) -> ResponseHead.Framing {
    if isToHead || status.excludesContent { return .none }
    switch framing {
    case .chunked: return .chunked
    case .length(let length): return contentLength == nil ? .untilClose : .length(length)
    }
  }
}
