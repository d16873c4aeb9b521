import HTTP
import TreeDomain

extension Endpoint {
  /// `GET /v1/trees/{tree}/nodes/{key}/children`: reads a range of a node's children.
  static let listTreeChildren = Endpoint(
    parameters: rangeParameters
  ) { call throws(ServiceError) in
    try treeRange(of: call.key, call)
  }

  /// `GET /v1/trees/{tree}/children`: reads a range of the roots, or of the children of a node.
  ///
  /// The parameter `parent` names the node.
  static let listTreeRoots = Endpoint(
    parameters: rangeParameters + [.parent, .section]
  ) { call throws(ServiceError) in
    try treeRange(of: try call.query.parent(), call)
  }

  /// Reads the children of a node, or the roots.
  private static func treeRange(
    of key: [UInt8]?,
    _ call: Call
  ) throws(ServiceError) -> Response {
    let positions = try call.query.positions()
    let options = try call.query.readOptions()
    let range = try call.service.children(
      of: key,
      section: call.query.section,
      positions,
      of: try call.tree(),
      options
    )
    return call.answer(at: range.revision) { range.write(to: &$0) }
  }
}
