import HTTP
import TreeDomain

extension Endpoint {
  /// `GET …/nodes/{key}/children`: reads a range of a node's children, expanded or not.
  static let listChildren = Endpoint(parameters: rangeParameters) { call throws(ServiceError) in
    try range(of: call.key, call)
  }

  /// `GET …/children`: reads a range of the roots, or of the children of the node named `parent`.
  static let listRoots = Endpoint(
    parameters: rangeParameters + [.parent, .section]
  ) { call throws(ServiceError) in
    try range(of: try call.query.parent(), call)
  }

  /// The parameters of ranges of children.
  static let rangeParameters: [QueryParameter] = [.offset, .limit, .fields, .revision]

  /// Reads the children of a node, or the roots.
  private static func range(
    of key: [UInt8]?,
    _ call: Call
  ) throws(ServiceError) -> Response {
    let positions = try call.query.positions()
    let options = try call.query.readOptions()
    let range = try call.service.children(
      of: key,
      section: call.query.section,
      positions,
      of: try call.session(),
      options
    )
    return call.answer(at: range.revision) { range.write(to: &$0) }
  }
}
