import HTTP
import TreeWeb

/// A file of the client as it is answered.
struct ServedFile: Sendable {
  /// The tag of the content, without quotes.
  let tag: String
  /// The answer to who does not have the file.
  let response: Response

  init(_ file: ClientFile, compress: TreeAPI.Compressor?) {
    tag = file.tag
    var response = Response(.ok, contentType: file.contentType, body: file.content)
    response.fields.append(.cacheControl, "no-cache")
    response.fields.append(.eTag, ContentCoding.identity.tag(tag.utf8))
    self.response = response.compressed(by: compress)
  }

  /// Returns the answer to who has the file in a coding.
  func notModified(in coding: ContentCoding) -> Response {
    var fields = Fields()
    fields.append(.cacheControl, "no-cache")
    fields.append(.eTag, coding.tag(tag.utf8))
    return Response(.notModified, fields: fields)
  }
}
