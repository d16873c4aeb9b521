import HTTP
import JSON

extension Endpoint {
  /// `GET /healthz`: tells that the process is alive.
  static let getHealth = Endpoint(answerTypes: [], isOpen: true, isVital: true, .same(alive))

  private static let alive = Response.json(.ok) { writer in
    writer.beginObject()
    writer.name("status")
    writer.string("ok" as StaticString)
    writer.endObject()
  }
}
