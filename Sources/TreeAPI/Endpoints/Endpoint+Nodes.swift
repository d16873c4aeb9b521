import HTTP
import JSON
import TreeDomain

// Reading of nodes by key, parent or text, of ancestors, and of sections: through a session, and
// nodes also directly from a tree.
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

  /// `GET …/nodes/{key}`: reads a node as the session sees it, hidden or not.
  static let getNode = Endpoint(
    parameters: [.fields, .revision]
  ) { call throws(ServiceError) in
    let options = try call.query.readOptions()
    let node = try call.service.node(call.key, of: try call.session(), options)
    return call.answer(at: node.revision) { node.write(to: &$0) }
  }

  /// `GET /v1/trees/{tree}/nodes/{key}`: reads a node without a view.
  static let getTreeNode = Endpoint(
    parameters: [.fields, .revision]
  ) { call throws(ServiceError) in
    let options = try call.query.readOptions()
    let node = try call.service.node(call.key, of: try call.tree(), options)
    return call.answer(at: node.revision) { node.write(to: &$0) }
  }

  /// `GET …/nodes/{key}/children`: reads a range of a node's children, expanded or not.
  static let listChildren = Endpoint(parameters: rangeParameters) { call throws(ServiceError) in
    try range(of: call.key, call)
  }

  /// `GET …/children`: reads a range of the roots, or of the children of the node named `parent`.
  static let listRoots = Endpoint(
    parameters: rangeParameters + [.parent, .section]
  ) { call throws(ServiceError) in
    try range(of: try call.query.parent(), call)
  }

  /// The parameters of ranges of children.
  static let rangeParameters: [QueryParameter] = [.offset, .limit, .fields, .revision]

  /// Reads the children of a node, or the roots.
  private static func range(
    of parent: [UInt8]?,
    _ call: Call
  ) throws(ServiceError) -> Response {
    let query = try call.query.children(of: parent)
    let range = try call.service.children(query, of: try call.session())
    return call.answer(at: range.revision) { range.write(to: &$0) }
  }

  /// `GET /v1/trees/{tree}/nodes/{key}/children`: reads a range of a node's children.
  static let listTreeChildren = Endpoint(
    parameters: rangeParameters
  ) { call throws(ServiceError) in
    try treeRange(of: call.key, call)
  }

  /// `GET /v1/trees/{tree}/children`: reads a range of the roots, or of the children of a node.
  ///
  /// The parameter `parent` names the node.
  static let listTreeRoots = Endpoint(
    parameters: rangeParameters + [.parent, .section]
  ) { call throws(ServiceError) in
    try treeRange(of: try call.query.parent(), call)
  }

  /// Reads the children of a node, or the roots.
  private static func treeRange(
    of parent: [UInt8]?,
    _ call: Call
  ) throws(ServiceError) -> Response {
    let query = try call.query.children(of: parent)
    let range = try call.service.children(query, of: try call.tree())
    return call.answer(at: range.revision) { range.write(to: &$0) }
  }

  /// `GET …/nodes/{key}/ancestors`: reads a node's ancestors, down to its parent.
  static let listAncestors = Endpoint(
    parameters: [.fields, .revision]
  ) { call throws(ServiceError) in
    let ancestors = try call.service.ancestors(
      of: call.key,
      of: try call.session(),
      fields: try call.query.givenFields(),
      expectedRevision: try call.query.revision()
    )
    return call.answer(at: ancestors.revision) { ancestors.write(to: &$0) }
  }

  /// `GET …/sections`: lists the sections of a session's tree.
  static let listSections = Endpoint(parameters: [.revision]) { call throws(ServiceError) in
    let list = try call.service.sections(
      of: try call.session(),
      expectedRevision: try call.query.revision()
    )
    return call.answer(at: list.revision) { list.write(to: &$0) }
  }

  /// `GET …/search`: finds nodes, hidden or not.
  static let searchNodes = Endpoint(
    parameters: [.q, .by, .after, .limit, .fields, .count]
  ) { call throws(ServiceError) in
    let query = try call.query.search()
    let result = try call.service.search(in: try call.session(), query)
    return call.answer(at: result.revision) { result.write(to: &$0) }
  }
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
    let fields = fields(at: revision, isJSON: true)
    var response = Response(.ok, fields: fields, body: writer.finish())
    response.isOfReading = true
    return response
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
