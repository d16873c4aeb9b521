import HTTP
import TreeDomain

extension Endpoint {
  /// `GET /v1/trees`: lists the shared trees in the order of their ids.
  static let listTrees = Endpoint(parameters: [.limit, .after]) { call throws(ServiceError) in
    let page = try call.service.trees(
      after: try call.query.treeID(),
      limit: try call.query.limit()
    )
    return call.refusal(at: nil) ?? .json(.ok) { page.write(to: &$0) }
  }
}

extension Query {
  /// Returns `after`, the id of an existing or missing tree; nil if it was not given.
  fileprivate func treeID() throws(ServiceError) -> TreeID? {
    guard let written = self[.after] else { return nil }
    guard let id = TreeID(validating: written) else { throw refusal(.after, "the id of a tree") }
    return id
  }
}
