import HTTP
import JSON

extension Response {
  /// A response whose content is one JSON value, written straight into its bytes.
  static func json(
    _ status: Status,
    _ fields: Fields = Fields(),
    _ write: (inout JSONWriter) -> Void
  ) -> Response {
    var fields = fields
    fields.append(.contentType, MediaType.json.name)
    var writer = JSONWriter()
    write(&writer)
    return Response(status, fields: fields, body: writer.finish())
  }
}
