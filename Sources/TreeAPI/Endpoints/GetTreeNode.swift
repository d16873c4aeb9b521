import TreeDomain

extension Endpoint {
  /// `GET /v1/trees/{tree}/nodes/{key}`: reads a node without a view.
  static let getTreeNode = Endpoint(
    parameters: [.fields, .revision]
  ) { call throws(ServiceError) in
    let options = try call.query.readOptions()
    let node = try call.service.node(call.key, of: try call.tree(), options)
    return call.answer(at: node.revision) { node.write(to: &$0) }
  }
}
