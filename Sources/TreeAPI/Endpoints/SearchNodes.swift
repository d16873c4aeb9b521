import TreeDomain

extension Endpoint {
  /// `GET …/search`: finds nodes, hidden or not.
  static let searchNodes = Endpoint(
    parameters: [.q, .by, .after, .limit, .fields, .count]
  ) { call throws(ServiceError) in
    let query = try call.query.search()
    let result = try call.service.search(in: try call.session(), query)
    return call.answer(at: result.revision) { result.write(to: &$0) }
  }
}
