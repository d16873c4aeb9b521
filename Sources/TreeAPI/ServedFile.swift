import HTTP
import TreeWeb

/// A file for browsers as it is answered.
///
/// Browsers store the file and revalidate it by its tag, because it changes with the program.
struct ServedFile: Sendable {
  /// The tag of the content, without quotes.
  private let tag: String
  /// The answer to a client that does not have the file.
  private let response: Response

  /// Creates the responses of a file.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - fields: The header fields of its response in addition to the usual ones.
  ///   - compress: Returns content as gzip; nil for no compression.
  init(_ file: WebFile, fields: [(FieldName, String)] = [], compress: TreeAPI.Compressor?) {
    tag = file.tag
    var response = Response(.ok, contentType: file.contentType, body: file.content)
    response.fields.append(.cacheControl, "no-cache")
    response.fields.append(.eTag, ContentCoding.identity.tag(tag.utf8))
    for (name, value) in fields { response.fields.append(name, value) }
    self.response = response.compressed(by: compress)
  }

  /// Returns the answer to a call: the file, or 304 if the client has it.
  func answer(to call: Call) -> Response {
    if let refusal = call.refusal(at: nil) { return refusal }
    let held = EntityTagList(call.request.fields, .ifNoneMatch)
    let coding = held?.coding(ofHeld: tag.utf8, by: call.request.codings)
    return coding.map(notModified) ?? response
  }

  private func notModified(in coding: ContentCoding) -> Response {
    var fields = Fields()
    fields.append(.cacheControl, "no-cache")
    fields.append(.eTag, coding.tag(tag.utf8))
    return Response(.notModified, fields: fields)
  }
}
