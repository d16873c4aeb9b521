/// Compares the routes of the service with those of `openapi.yaml`.
enum RouteRule {
  /// Finds routes that only one side has. `HEAD` and `OPTIONS` are implied and not described.
  ///
  /// - Parameter served: The method and path of each route, such as `GET /v1/sessions/{session}`.
  static func findings(_ scan: OpenAPIScan, served: [String]) -> [Finding] {
    let described = scan.operations.map { "\($0.method.uppercased()) \($0.path)" }
    let explicit = served.filter { !$0.hasPrefix("HEAD ") && !$0.hasPrefix("OPTIONS ") }
    let undescribed = explicit.filter { !described.contains($0) }.map {
      Finding(path: "openapi.yaml", line: 1, message: "the route \($0) is not described")
    }
    let unserved = zip(scan.operations, described).filter { !explicit.contains($1) }.map {
      Finding(path: "openapi.yaml", line: $0.line, message: "nothing answers \($1)")
    }
    return undescribed + unserved
  }

  /// Finds query parameters that only one side has, for routes of both.
  ///
  /// - Parameter served: The parameter names of each route, by method and path.
  static func findings(_ scan: OpenAPIScan, parameters served: [String: [String]]) -> [Finding] {
    scan.operations.flatMap { operation -> [Finding] in
      let route = "\(operation.method.uppercased()) \(operation.path)"
      guard let taken = served[route] else { return [] }
      let described = operation.parameters.compactMap { scan.component("parameters", $0) }
        .filter { $0.member("in") == "query" }.compactMap { $0.member("name") }
      let undescribed = taken.filter { !described.contains($0) }.map {
        "\(route) takes \($0), which is not described"
      }
      let refused = described.filter { !taken.contains($0) }.map { "\(route) refuses \($0)" }
      return (undescribed + refused).map {
        Finding(path: "openapi.yaml", line: operation.line, message: $0)
      }
    }
  }

  /// Finds statuses that are not described, for routes of both sides.
  ///
  /// - Parameter served: The possible statuses of each route, by method and path.
  static func findings(_ scan: OpenAPIScan, statuses served: [String: Set<Int>]) -> [Finding] {
    scan.operations.flatMap { operation -> [Finding] in
      let route = "\(operation.method.uppercased()) \(operation.path)"
      let described = Set(operation.statuses.compactMap(Int.init))
      return (served[route] ?? []).subtracting(described).sorted().map {
        let message = "\(route) can be answered with \($0), which is not described"
        return Finding(path: "openapi.yaml", line: operation.line, message: message)
      }
    }
  }

  /// Finds different security schemes, for routes of both sides.
  ///
  /// - Parameter served: The security schemes of each route, by method and path.
  static func findings(_ scan: OpenAPIScan, schemes served: [String: [String]]) -> [Finding] {
    scan.operations.compactMap { operation in
      let route = "\(operation.method.uppercased()) \(operation.path)"
      guard let schemes = served[route], schemes != operation.schemes ?? ["key"] else { return nil }
      let message = "\(route) is opened by \(schemes), which is not what is described"
      return Finding(path: "openapi.yaml", line: operation.line, message: message)
    }
  }
}
