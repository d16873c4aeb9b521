import TreeDomain

extension Endpoint {
  /// `GET …/nodes/{key}`: reads a node as the session sees it, hidden or not.
  static let getNode = Endpoint(
    parameters: [.fields, .revision]
  ) { call throws(ServiceError) in
    let options = try call.query.readOptions()
    let node = try call.service.node(call.key, of: try call.session(), options)
    return call.answer(at: node.revision) { node.write(to: &$0) }
  }
}
