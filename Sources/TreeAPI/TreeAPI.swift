public import HTTP
public import TreeDomain

/// The service over HTTP: finds the endpoint of a request and lets it answer.
///
/// What an endpoint takes and gives stands in its own file. What is the same for all of them is
/// done here, before an endpoint is asked: the path, the method, `Accept`, the media type of the
/// body, and the names of the query parameters.
public struct TreeAPI: Sendable {
  private let service: any TreeService
  private let limits: DecodingLimits
  private let router: Router<Endpoint>

  /// Makes the API of a service.
  ///
  /// - Parameters:
  ///   - service: What the endpoints speak to.
  ///   - limits: What one body may ask for.
  public init(service: any TreeService, limits: DecodingLimits = DecodingLimits()) {
    self.service = service
    self.limits = limits
    var router = Router<Endpoint>()
    for (method, template, endpoint) in Self.table { router.add(method, template, endpoint) }
    self.router = router
  }

  /// Every route, in the order of `openapi.yaml`.
  private static let table: [(Method, String, Endpoint)] = [
    (.post, "/v1/sessions", .createSession),
    (.get, "/v1/sessions/{session}", .getSession),
    (.delete, "/v1/sessions/{session}", .deleteSession),
    (.get, "/v1/sessions/{session}/rows", .listRows),
    (.get, "/v1/sessions/{session}/rows/{index}", .getRow),
    (.get, "/v1/sessions/{session}/nodes/{key}", .getNode),
    (.put, "/v1/sessions/{session}/nodes/{key}", .putNode),
    (.patch, "/v1/sessions/{session}/nodes/{key}", .patchNode),
    (.delete, "/v1/sessions/{session}/nodes/{key}", .applySingle(.remove)),
    (.get, "/v1/sessions/{session}/nodes/{key}/children", .listChildren),
    (.get, "/v1/sessions/{session}/children", .listRoots),
    (.get, "/v1/sessions/{session}/nodes/{key}/ancestors", .listAncestors),
    (.post, "/v1/sessions/{session}/batch", .applyBatch),
    (.post, "/v1/sessions/{session}/nodes/{key}/expand", .applySingle(.expand)),
    (.post, "/v1/sessions/{session}/nodes/{key}/collapse", .applySingle(.collapse)),
    (.post, "/v1/sessions/{session}/nodes/{key}/toggle", .applySingle(.toggle)),
    (.post, "/v1/sessions/{session}/nodes/{key}/reveal", .applySingle(.reveal)),
    (.post, "/v1/sessions/{session}/nodes/{key}/move", .applySingle(.move)),
    (.post, "/v1/sessions/{session}/expandAll", .applySingle(.expandAll)),
    (.post, "/v1/sessions/{session}/collapseAll", .applySingle(.collapseAll)),
    (.get, "/healthz", .getHealth),
    (.get, "/openapi.yaml", .getDescription),
  ]

  /// What is served, for holding it against `openapi.yaml`: each route with its method, its path
  /// template, and the names of the query parameters it takes.
  public static let routes: [(method: Method, template: String, parameters: [String])] =
    table.map { ($0, $1, $2.parameters.map(\.rawValue)) }

  /// Answers a request; what goes wrong is an answer, too.
  public func respond(to request: Request) -> Response {
    switch router.match(request.method, request.target) {
    case .endpoint(let endpoint, let path): answer(request, endpoint, path)
    case .options(let allowed): Router<Endpoint>.optionsResponse(allowed: allowed)
    case .methodNotAllowed(let allowed): Problem.methodNotAllowed(allowed: allowed).response
    case .notFound: Self.routeNotFound.response
    }
  }

  private static let routeNotFound = Problem(
    .routeNotFound,
    detail: "Nothing is served at this path; GET /openapi.yaml lists the paths there are."
  )

  private func answer(
    _ request: Request,
    _ endpoint: Endpoint,
    _ path: PathParameters
  ) -> Response {
    if let problem = endpoint.negotiate(request) { return problem.response }
    do throws(ServiceError) {
      let call = Call(
        request: request,
        path: path,
        query: try Query(request.target, knowing: endpoint.parameters),
        service: service,
        limits: limits
      )
      return try endpoint.answer(call)
    } catch {
      return error.response
    }
  }
}
