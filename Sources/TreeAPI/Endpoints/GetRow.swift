import HTTP
import TreeDomain

extension Endpoint {
  /// `GET …/rows/{index}`: reads the row at an index.
  static let getRow = Endpoint(
    parameters: [.fields, .revision]
  ) { call throws(ServiceError) in
    let written = call.path["index"]
    guard let index = Query.decimal(written) else {
      throw ServiceError(
        .invalidRequest,
        "The index in the path must be a whole number 0 or more, not \(NameAdvice.quoted(written))."
      )
    }
    let options = try call.query.readOptions()
    let node = try call.service.row(at: index, of: try call.session(), options)
    return call.answer(at: node.revision) { node.write(to: &$0) }
  }
}
