package import HTTP
import TreeDomain

extension TreeAPI {
  /// A route: its method, path template and endpoint.
  typealias Route = (method: Method, template: String, endpoint: Endpoint)

  /// All routes, in the order of `openapi.yaml`.
  static let table = trees + sessions + reading + batches + single + around
  /// The endpoints of the routes.
  static let endpoints = table.map(\.endpoint)

  private static let trees: [Route] = [
    (.post, "/v1/trees", .createTree),
    (.get, "/v1/trees", .listTrees),
    (.get, "/v1/trees/{tree}", .getTree),
    (.delete, "/v1/trees/{tree}", .deleteTree),
    (.post, "/v1/trees/{tree}/nodes/get", .getTreeNodes),
    (.get, "/v1/trees/{tree}/nodes/{key}", .getTreeNode),
    (.get, "/v1/trees/{tree}/nodes/{key}/children", .listTreeChildren),
    (.get, "/v1/trees/{tree}/children", .listTreeRoots),
    (.post, "/v1/trees/{tree}/batch", .applyTreeBatch),
    (.post, "/v1/trees/{tree}/import", .importNodes),
    (.get, "/v1/trees/{tree}/export", .exportNodes),
  ]

  private static let sessions: [Route] = [
    (.post, "/v1/sessions", .createSession),
    (.get, "/v1/sessions/{session}", .getSession),
    (.patch, "/v1/sessions/{session}", .patchSession),
    (.delete, "/v1/sessions/{session}", .deleteSession),
    (.get, "/v1/sessions/{session}/state", .getState),
  ]

  private static let reading: [Route] = [
    (.get, "/v1/sessions/{session}/rows", .listRows),
    (.get, "/v1/sessions/{session}/rows/{index}", .getRow),
    (.post, "/v1/sessions/{session}/nodes/get", .getNodes),
    (.get, "/v1/sessions/{session}/nodes/{key}", .getNode),
    (.put, "/v1/sessions/{session}/nodes/{key}", .applySingle(.put)),
    (.patch, "/v1/sessions/{session}/nodes/{key}", .applySingle(.patch)),
    (.delete, "/v1/sessions/{session}/nodes/{key}", .applySingle(.remove)),
    (.get, "/v1/sessions/{session}/nodes/{key}/children", .listChildren),
    (.put, "/v1/sessions/{session}/nodes/{key}/children", .applySingle(.setChildren)),
    (.get, "/v1/sessions/{session}/children", .listRoots),
    (.put, "/v1/sessions/{session}/forest", .applySingle(.setRoots)),
    (.get, "/v1/sessions/{session}/nodes/{key}/ancestors", .listAncestors),
    (.get, "/v1/sessions/{session}/sections", .listSections),
    (.get, "/v1/sessions/{session}/search", .searchNodes),
  ]

  private static let batches: [Route] = [
    (.post, "/v1/sessions/{session}/batch", .applyBatch),
    (.get, "/v1/sessions/{session}/changes", .followChanges),
  ]

  private static let single: [Route] = [
    (.post, "/v1/sessions/{session}/nodes/{key}/expand", .applySingle(.expand)),
    (.post, "/v1/sessions/{session}/nodes/{key}/collapse", .applySingle(.collapse)),
    (.post, "/v1/sessions/{session}/nodes/{key}/toggle", .applySingle(.toggle)),
    (.post, "/v1/sessions/{session}/nodes/{key}/reveal", .applySingle(.reveal)),
    (.post, "/v1/sessions/{session}/nodes/{key}/select", .applySingle(.select)),
    (.post, "/v1/sessions/{session}/nodes/{key}/deselect", .applySingle(.deselect)),
    (.post, "/v1/sessions/{session}/nodes/{key}/move", .applySingle(.move)),
    (.post, "/v1/sessions/{session}/expandAll", .applySingle(.expandAll)),
    (.post, "/v1/sessions/{session}/collapseAll", .applySingle(.collapseAll)),
    (.post, "/v1/sessions/{session}/clearSelection", .applySingle(.clearSelection)),
  ]

  private static let around: [Route] = [
    (.get, "/healthz", .getHealth),
    (.get, "/readyz", .getReadiness),
    (.get, "/metrics", .getMetrics),
    (.get, "/openapi.yaml", .getDescription),
    (.get, "/problems/{code}", .getProblem),
    (.get, "/client/{file}", .getClientFile),
    (.get, "/", .getStart),
    (.get, "/explorer", .getExplorerStart),
    (.get, "/explorer/", .getExplorer),
    (.get, "/explorer/{file}", .getExplorerFile),
  ]
}

extension TreeAPI {
  /// The routes with their properties, for comparison with `openapi.yaml`.
  ///
  /// Each has its method, path template, query parameters, accepted kinds of credentials, and some
  /// of its possible statuses.
  package static let routes: [Described] =
    table.map { method, template, endpoint in
      let parameters = endpoint.parameters.map(\.rawValue)
      let schemes = schemes(of: endpoint, at: template)
      return (method, template, parameters, schemes, statuses(of: endpoint, at: template))
    }

  /// A route with its properties.
  package typealias Described = (
    method: Method, template: String, parameters: [String], schemes: [String], statuses: Set<Int>
  )

  /// Returns the names of the security schemes that the endpoint accepts; none if it is open.
  private static func schemes(of endpoint: Endpoint, at template: String) -> [String] {
    guard !endpoint.isOpen else { return [] }
    return template.contains("{session}") ? ["key", "sessionSecret"] : ["key"]
  }

  /// Returns the statuses that the endpoint's parameters, media types and path can cause.
  private static func statuses(of endpoint: Endpoint, at template: String) -> Set<Int> {
    var statuses: Set<Int> = endpoint.parameters.isEmpty && endpoint.bodyTypes.isEmpty ? [] : [400]
    // A request that must wait may find the queue full.
    if template.contains("{session}") { statuses.formUnion([404, 410, 503]) }
    if template.contains("{tree}") { statuses.formUnion([404, 503]) }
    if !endpoint.isOpen { statuses.formUnion([401, 403]) }
    if !endpoint.answerTypes.isEmpty { statuses.insert(406) }
    if !endpoint.bodyTypes.isEmpty { statuses.formUnion([413, 415, 503]) }
    if endpoint.parameters.contains(.revision) {
      statuses.formUnion(endpoint.bodyTypes.isEmpty ? [304, 409] : [409, 412])
    }
    if endpoint.parameters.contains(.offset) { statuses.insert(416) }
    if endpoint.parameters.contains(.dryRun) { statuses.formUnion([412, 422, 507]) }
    if endpoint.parameters.contains(.since) { statuses.formUnion([304, 410]) }
    return statuses
  }
}
