import HTTP
import JSON

extension Response {
  /// The fields of JSON content without further fields.
  private static let jsonFields: Fields = {
    var fields = Fields()
    fields.append(.contentType, MediaType.json.name)
    return fields
  }()

  /// Returns a response whose content is one JSON value, which a closure writes.
  static func json(
    _ status: Status,
    _ fields: Fields = Fields(),
    _ write: (inout JSONWriter) -> Void
  ) -> Response {
    var writer = JSONWriter()
    write(&writer)
    return json(status, fields, written: writer.finish())
  }

  /// Returns a response whose content is JSON that is already written.
  static func json(_ status: Status, _ fields: Fields, written content: [UInt8]) -> Response {
    guard fields.count > 0 else { return Response(status, fields: jsonFields, body: content) }
    var fields = fields
    fields.append(.contentType, MediaType.json.name)
    return Response(status, fields: fields, body: content)
  }
}
