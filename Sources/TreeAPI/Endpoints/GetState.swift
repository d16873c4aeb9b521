import TreeDomain

extension Endpoint {
  /// `GET …/state`: returns the state of a session's view, from which another can be created.
  static let getState = Endpoint(parameters: [.revision]) { call throws(ServiceError) in
    let state = try call.service.state(
      of: try call.session(),
      expectedRevision: try call.query.revision()
    )
    return call.answer(at: state.revision) { state.write(to: &$0) }
  }
}
