import TreeDomain

extension Endpoint {
  /// `GET …/state`: reads what a session shows as a value that another can be made of.
  static let getState = Endpoint(parameters: [.revision]) { call throws(ServiceError) in
    let state = try call.service.state(
      of: try call.session(),
      expectedRevision: try call.query.revision()
    )
    return call.answer(at: state.revision) { state.write(to: &$0) }
  }
}
