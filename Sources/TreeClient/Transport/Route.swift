/// The operations of `openapi.yaml`, in its order.
enum Route: String, CaseIterable, Sendable {
  case createTree
  case listTrees
  case getTree
  case deleteTree
  case getTreeNodes
  case getTreeNode
  case listTreeChildren
  case listTreeRoots
  case applyTreeBatch
  case importNodes
  case exportNodes
  case createSession
  case getSession
  case patchSession
  case deleteSession
  case getState
  case listRows
  case getRow
  case getNodes
  case getNode
  case putNode
  case patchNode
  case deleteNode
  case listChildren
  case putChildren
  case listRoots
  case putForest
  case listAncestors
  case listSections
  case searchNodes
  case applyBatch
  case followChanges
  case expandNode
  case collapseNode
  case toggleNode
  case revealNode
  case selectNode
  case deselectNode
  case moveNode
  case expandAll
  case collapseAll
  case clearSelection
  case getHealth
  case getReadiness
  case getMetrics
  case getDescription
  case getProblem
  case getClientFile
  case getStart
  case getExplorerStart
  case getExplorer
  case getExplorerFile

  /// The method.
  var method: String { String(template.prefix { $0 != " " }) }

  /// The path template, with names in place of its variable parts.
  var path: Substring {
    template.drop { $0 != " " }.dropFirst()
  }

  /// True if it changes something, so that it needs an idempotency key.
  var writes: Bool { method != "GET" && !path.hasSuffix("/get") }

  /// Returns the path with values in the places of its variable parts, in their order.
  ///
  /// - Throws: ``TreeProblem`` `invalid-request` if a value is `.` or `..`, because proxies resolve
  ///   such parts of a path. A batch can name these keys.
  func path(_ values: [String]) throws -> String {
    var values = values[...]
    let parts = try path.split(separator: "/", omittingEmptySubsequences: false).map { part in
      guard part.hasPrefix("{"), let value = values.popFirst() else { return String(part) }
      guard value != "." && value != ".." else {
        let detail = "No path can name the key \(value); name it in a batch."
        throw TreeProblem(status: 400, code: "invalid-request", detail: detail)
      }
      return value.percentEncoded
    }
    return parts.joined(separator: "/")
  }

  private var template: String {
    switch self {
    case .createTree: "POST /v1/trees"
    case .listTrees: "GET /v1/trees"
    case .getTree: "GET /v1/trees/{tree}"
    case .deleteTree: "DELETE /v1/trees/{tree}"
    case .getTreeNodes: "POST /v1/trees/{tree}/nodes/get"
    case .getTreeNode: "GET /v1/trees/{tree}/nodes/{key}"
    case .listTreeChildren: "GET /v1/trees/{tree}/nodes/{key}/children"
    case .listTreeRoots: "GET /v1/trees/{tree}/children"
    case .applyTreeBatch: "POST /v1/trees/{tree}/batch"
    case .importNodes: "POST /v1/trees/{tree}/import"
    case .exportNodes: "GET /v1/trees/{tree}/export"
    case .createSession: "POST /v1/sessions"
    case .getSession: "GET /v1/sessions/{session}"
    case .patchSession: "PATCH /v1/sessions/{session}"
    case .deleteSession: "DELETE /v1/sessions/{session}"
    case .getState: "GET /v1/sessions/{session}/state"
    case .listRows: "GET /v1/sessions/{session}/rows"
    case .getRow: "GET /v1/sessions/{session}/rows/{index}"
    case .getNodes: "POST /v1/sessions/{session}/nodes/get"
    case .getNode: "GET /v1/sessions/{session}/nodes/{key}"
    case .putNode: "PUT /v1/sessions/{session}/nodes/{key}"
    case .patchNode: "PATCH /v1/sessions/{session}/nodes/{key}"
    case .deleteNode: "DELETE /v1/sessions/{session}/nodes/{key}"
    case .listChildren: "GET /v1/sessions/{session}/nodes/{key}/children"
    case .putChildren: "PUT /v1/sessions/{session}/nodes/{key}/children"
    case .listRoots: "GET /v1/sessions/{session}/children"
    case .putForest: "PUT /v1/sessions/{session}/forest"
    case .listAncestors: "GET /v1/sessions/{session}/nodes/{key}/ancestors"
    case .listSections: "GET /v1/sessions/{session}/sections"
    case .searchNodes: "GET /v1/sessions/{session}/search"
    case .applyBatch: "POST /v1/sessions/{session}/batch"
    case .followChanges: "GET /v1/sessions/{session}/changes"
    case .expandNode: "POST /v1/sessions/{session}/nodes/{key}/expand"
    case .collapseNode: "POST /v1/sessions/{session}/nodes/{key}/collapse"
    case .toggleNode: "POST /v1/sessions/{session}/nodes/{key}/toggle"
    case .revealNode: "POST /v1/sessions/{session}/nodes/{key}/reveal"
    case .selectNode: "POST /v1/sessions/{session}/nodes/{key}/select"
    case .deselectNode: "POST /v1/sessions/{session}/nodes/{key}/deselect"
    case .moveNode: "POST /v1/sessions/{session}/nodes/{key}/move"
    case .expandAll: "POST /v1/sessions/{session}/expandAll"
    case .collapseAll: "POST /v1/sessions/{session}/collapseAll"
    case .clearSelection: "POST /v1/sessions/{session}/clearSelection"
    case .getHealth: "GET /healthz"
    case .getReadiness: "GET /readyz"
    case .getMetrics: "GET /metrics"
    case .getDescription: "GET /openapi.yaml"
    case .getProblem: "GET /problems/{code}"
    case .getClientFile: "GET /client/{file}"
    case .getStart: "GET /"
    case .getExplorerStart: "GET /explorer"
    case .getExplorer: "GET /explorer/"
    case .getExplorerFile: "GET /explorer/{file}"
    }
  }
}

extension String {
  /// The text with all but unreserved characters percent-encoded (RFC 3986, section 2.3).
  var percentEncoded: String {
    let digits = Array("0123456789ABCDEF")
    return utf8.reduce(into: "") { text, byte in
      let scalar = Unicode.Scalar(byte)
      if scalar.isASCII
        && (scalar.properties.isAlphabetic
          || "-._~0123456789".unicodeScalars
            .contains(scalar))
      {
        text.unicodeScalars.append(scalar)
      } else {
        text += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
      }
    }
  }
}
