import HTTP
import TreeDomain

extension Endpoint {
  /// `GET /v1/trees/{tree}/export`: returns all nodes of a tree at one revision, one a line.
  static let exportNodes = Endpoint(
    answerTypes: [.lines],
    .answer { call throws(ServiceError) in
      let export = try call.service.export(try call.tree())
      if let response = call.unsent(at: export.revision) { return .response(response) }
      var response = Response(.ok, fields: call.fields(at: export.revision))
      response.fields.append(.contentType, MediaType.lines.name)
      return .later(ExportStream(export, response))
    }
  )
}
