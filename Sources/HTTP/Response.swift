/// A response to a request.
///
/// `Date`, `Content-Length`, `Connection` and `X-Content-Type-Options` are added when it is
/// written. So is `Cache-Control: no-store`, unless the handler sets `Cache-Control`.
package struct Response: Sendable {
  /// The status.
  package var status: Status
  /// The header fields, except for those added when the response is written.
  package var fields: Fields
  /// The content.
  ///
  /// It is not sent in response to HEAD or with a status that has no content. `Content-Length` in a
  /// response to HEAD is the length of this content.
  package var body: [UInt8]
  /// The origin of the head.
  package var origin = Origin.here
  /// The content as gzip, if it was compressed in advance; sent instead of compressing the body.
  package var compressedBody: [UInt8]?
  /// True if the request has changed nothing, although its method is neither GET nor HEAD.
  ///
  /// Such a response may be replaced by a refusal while memory is short.
  package var isOfReading = false

  /// The origin of a response's head.
  package enum Origin: Sendable {
    /// This server, which adds the fields that every response has.
    case here
    /// Another server, which has added them.
    ///
    /// The fields are sent as they are. The length is that of the content, also for a response to
    /// HEAD or for a stream; nil if it is not known.
    case relayed(length: Int?)
  }

  /// Creates a response.
  package init(_ status: Status, fields: Fields = Fields(), body: [UInt8] = []) {
    self.status = status
    self.fields = fields
    self.body = body
  }

  /// Creates a response whose content has a media type, such as `application/json`.
  package init(_ status: Status, contentType: String, body: [UInt8]) {
    self.init(status, body: body)
    fields.append(.contentType, contentType)
  }
}
