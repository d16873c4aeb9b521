import TreeDomain

extension Endpoint {
  /// `GET …/nodes/{key}/ancestors`: reads the path from the root to a node's parent.
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
}
