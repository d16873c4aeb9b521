import HTTP
import JSON

extension Endpoint {
  /// `GET /healthz`: confirms that the process is running.
  static let getHealth = Endpoint(answerTypes: [], isOpen: true, isVital: true, .same(alive))

  private static let alive = Response.json(.ok) { writer in
    writer.beginObject()
    writer.name("status")
    writer.string("ok" as StaticString)
    writer.endObject()
  }
}
