/// An answer to a request.
///
/// `Date`, `Content-Length`, `Connection`, `X-Content-Type-Options` and, unless it is given,
/// `Cache-Control: no-store` are added when it is written; a handler leaves them out.
public struct Response: Sendable {
  /// The status.
  public var status: Status
  /// The header fields beside those that writing adds.
  public var fields: Fields
  /// The content.
  ///
  /// Not sent in answer to HEAD, nor with a status that has none; a HEAD's `Content-Length` is that
  /// of this content.
  public var body: [UInt8]
  /// The content as gzip, if it was compressed beforehand; sent where it would be compressed now.
  public var compressedBody: [UInt8]?

  /// A response of these parts.
  public init(_ status: Status, fields: Fields = Fields(), body: [UInt8] = []) {
    self.status = status
    self.fields = fields
    self.body = body
  }

  /// A response whose content has a media type, such as `application/json`.
  public init(_ status: Status, contentType: String, body: [UInt8]) {
    self.init(status, body: body)
    fields.append(.contentType, contentType)
  }
}
