import TreeDomain

extension Endpoint {
  /// `GET /v1/sessions/{session}`: describes a session.
  static let getSession = Endpoint(
    parameters: [.revision]
  ) { call throws(ServiceError) in
    let session = try call.service.session(
      try call.session(),
      expectedRevision: try call.query.revision()
    )
    return call.answer(at: session.revision) { session.write(to: &$0) }
  }
}
