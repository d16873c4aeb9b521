import TreeDomain

extension Endpoint {
  /// `GET …/sections`: lists the sections of a session's tree.
  static let listSections = Endpoint(parameters: [.revision]) { call throws(ServiceError) in
    let list = try call.service.sections(
      of: try call.session(),
      expectedRevision: try call.query.revision()
    )
    return call.answer(at: list.revision) { list.write(to: &$0) }
  }
}
