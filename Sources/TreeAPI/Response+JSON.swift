import HTTP
import JSON

extension Response {
  /// The fields of content that nothing else is to be said of.
  private static let jsonFields: Fields = {
    var fields = Fields()
    fields.append(.contentType, MediaType.json.name)
    return fields
  }()

  /// A response whose content is one JSON value, written straight into its bytes.
  static func json(
    _ status: Status,
    _ fields: Fields = Fields(),
    _ write: (inout JSONWriter) -> Void
  ) -> Response {
    var fields = fields
    if fields.count == 0 {
      fields = jsonFields
    } else {
      fields.append(.contentType, MediaType.json.name)
    }
    var writer = JSONWriter()
    write(&writer)
    return Response(status, fields: fields, body: writer.finish())
  }
}
