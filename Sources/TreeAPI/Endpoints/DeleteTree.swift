import HTTP
import TreeDomain

extension Endpoint {
  /// `DELETE /v1/trees/{tree}`: ends a shared tree and its sessions.
  static let deleteTree = Endpoint(
    answerTypes: []
  ) { call throws(ServiceError) in
    try call.service.deleteTree(try call.tree())
    return Response(.noContent)
  }
}
