import HTTP
import JSON
import TreeDomain

extension Endpoint {
  /// `GET /readyz`: tells if the service accepts changes.
  static let getReadiness = Endpoint(answerTypes: [], isOpen: true, isVital: true) { call in
    switch call.service.readiness {
    case .ready:
      if let refusal = call.refusal(at: nil) { return refusal }
      return .json(.ok) { writer in
        writer.beginObject()
        writer.name("status")
        writer.string("ready" as StaticString)
        writer.endObject()
      }
    case .unready(let reason):
      var fields = Fields()
      fields.append(.retryAfter, "1")
      return .json(.serviceUnavailable, fields) { writer in
        writer.beginObject()
        writer.name("status")
        writer.string("unready" as StaticString)
        writer.name("reason")
        writer.string(reason.rawValue)
        writer.endObject()
      }
    }
  }
}
