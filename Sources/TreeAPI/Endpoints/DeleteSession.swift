import HTTP
import TreeDomain

extension Endpoint {
  /// `DELETE /v1/sessions/{session}`: ends a session and its private tree.
  static let deleteSession = Endpoint(
    answerTypes: []
  ) { call throws(ServiceError) in
    try call.service.deleteSession(try call.session())
    return Response(.noContent)
  }
}
