import TreeDomain

extension Endpoint {
  /// `GET /v1/trees/{tree}`: describes a shared tree.
  static let getTree = Endpoint(parameters: [.revision]) { call throws(ServiceError) in
    let tree = try call.service.tree(
      try call.tree(),
      expectedRevision: try call.query.revision()
    )
    return call.answer(at: tree.revision) { tree.write(to: &$0) }
  }
}
