import HTTP
import JSON
import TreeDomain

extension Endpoint {
  /// `POST /v1/sessions/{session}/nodes/get`: reads nodes by the keys in the body.
  static let getNodes = Endpoint(
    parameters: [.revision],
    bodyTypes: [.json],
    permission: .read,
    .decode { call throws(ServiceError) in
      let session = try call.session()
      let query = try call.nodesQuery()
      let condition = try call.condition()
      return { service throws(ServiceError) in
        let list = try service.nodes(query, of: session)
        return .response(call.content(at: list.revision, condition) { list.write(to: &$0) })
      }
    }
  )

  /// `POST /v1/trees/{tree}/nodes/get`: reads nodes by their keys, without a view.
  static let getTreeNodes = Endpoint(
    parameters: [.revision],
    bodyTypes: [.json],
    permission: .read,
    .decode { call throws(ServiceError) in
      let tree = try call.tree()
      let query = try call.nodesQuery()
      let condition = try call.condition()
      return { service throws(ServiceError) in
        let list = try service.nodes(query, of: tree)
        return .response(call.content(at: list.revision, condition) { list.write(to: &$0) })
      }
    }
  )
}

extension Call {
  /// Responds with content if its revision meets a condition, else with 412.
  ///
  /// `If-None-Match` gives 412 and not 304, because the method is not GET (RFC 9110, 13.1.2).
  fileprivate func content(
    at revision: Revision,
    _ condition: RevisionCondition?,
    _ write: (inout JSONWriter) -> Void
  ) -> Response {
    guard condition?.holds(at: revision) ?? true else {
      var error = ServiceError(
        .revisionMismatch,
        "The revision is \(revision.number); read without the condition on it."
      )
      error.revision = revision
      return error.response
    }
    var writer = JSONWriter()
    write(&writer)
    return Response(.ok, fields: fields(at: revision, isJSON: true), body: writer.finish())
  }

  /// Decodes the keys and fields in the body, and the revision in the query.
  fileprivate func nodesQuery() throws(ServiceError) -> NodesQuery {
    try NodesQuery.decode(
      body: request.body,
      expectedRevision: try query.revision(),
      limits: limits
    )
  }
}
