/// A router, which finds the route for a method and a path.
///
/// Routes are in a tree of path segments. A literal segment takes precedence over a parameter. The
/// first template that matches the whole path and has the method is chosen. If several templates
/// match a path, it has the methods of all of them.
package struct Router: Sendable {
  /// A registered route.
  package final class Route: Sendable {
    /// The method.
    package let method: Method
    /// The path template as registered.
    package let template: String
    let parameterNames: [String]
    /// The indices of the path segments that are parameters.
    let parameterPlaces: [Int]

    init(_ method: Method, _ pattern: RoutePattern) {
      self.method = method
      template = pattern.template
      parameterNames = pattern.parameterNames
      parameterPlaces = pattern.parameterPlaces
    }
  }

  /// A node of the tree.
  ///
  /// Other nodes are referred to by index.
  private struct Place: Sendable {
    /// The literal segment that leads here, or empty; `sibling` is the next literal beside it.
    var segment: [UInt8] = []
    var sibling: Int?
    /// The first literal child; `parameter` is the child for a parameter.
    var literal: Int?
    var parameter: Int?
    var routes: [Int] = []
    var label = RouteLabel.none
  }

  /// The routes in the order of registration.
  package private(set) var routes: [Route] = []
  /// The texts of all route labels: ``RouteLabel/malformed``, ``RouteLabel/none``, all templates.
  package private(set) var labels = RouteLabel.texts
  private var places = [Place()]

  /// Creates a router without routes.
  package init() {}

  /// Adds a route.
  ///
  /// - Parameters:
  ///   - method: The method. HEAD and OPTIONS are not allowed, because they are implied.
  ///   - template: The path, such as `/v1/trees/{tree}`. The same method and path, with any names
  ///     of parameters, must not have been added before.
  package mutating func add(_ method: Method, _ template: String) {
    precondition(method != .head && method != .options, "HEAD and OPTIONS come by themselves")
    let pattern = RoutePattern(template)
    var place = 0
    for segment in pattern.segments { place = child(of: place, for: segment) }
    precondition(
      !places[place].routes.contains { routes[$0].method == method },
      "\(template) is added twice"
    )
    if places[place].routes.isEmpty {
      places[place].label = RouteLabel(index: labels.count)
      labels.append(template)
    }
    places[place].routes.append(routes.count)
    routes.append(Route(method, pattern))
  }

  /// Finds the route of a request.
  ///
  /// - Parameters:
  ///   - method: The method; nil for an unknown one, which no route has.
  ///   - target: The target of the request.
  /// - Returns: The route, or the reason why there is none.
  /// - Complexity: O(path segments × literals at each), for usual route tables.
  package func match(_ method: Method?, _ target: Target) -> RouteMatch {
    if target.form == .asterisk {
      return RouteMatch(label: .none, .options(allowed: allowed(routes.indices), nil))
    }
    var ends: [Int] = []
    let effective = method == .head ? .get : method
    if let found = find(effective, target, at: 0, from: 0, &ends) { return found }
    guard let place = ends.first else { return RouteMatch(label: .none, .notFound) }
    let allowed = allowed(ends.flatMap { places[$0].routes })
    return RouteMatch(
      label: places[place].label,
      method == .options
        ? .options(allowed: allowed, places[place].routes[0]) : .methodNotAllowed(allowed: allowed)
    )
  }

  /// Returns the response to OPTIONS: no content and `Allow` (RFC 9110, 9.3.7).
  package static func optionsResponse(allowed: [Method]) -> Response {
    var response = Response(.noContent)
    response.fields.append(.allow, allowed.map(\.rawValue).joined(separator: ", "))
    return response
  }

  private mutating func child(of place: Int, for segment: RoutePattern.Segment) -> Int {
    switch segment {
    case .literal(let bytes):
      var last: Int?
      var next = places[place].literal
      while let known = next {
        if places[known].segment == bytes { return known }
        (last, next) = (known, places[known].sibling)
      }
      if let last {
        places[last].sibling = places.count
      } else {
        places[place].literal = places.count
      }
      places.append(Place(segment: bytes))
    case .parameter:
      if let known = places[place].parameter { return known }
      places[place].parameter = places.count
      places.append(Place())
    }
    return places.count - 1
  }

  /// Descends from a node and returns the first route of a method at the end of the path.
  ///
  /// Nodes at the end that only have routes of other methods are appended to `ends`.
  private func find(
    _ method: Method?,
    _ target: Target,
    at index: Int,
    from place: Int,
    _ ends: inout [Int]
  ) -> RouteMatch? {
    guard index < target.segmentCount else {
      for index in places[place].routes where routes[index].method == method {
        return RouteMatch(label: places[place].label, .route(index))
      }
      if !places[place].routes.isEmpty { ends.append(place) }
      return nil
    }
    var next = places[place].literal
    while let literal = next {
      if target.isSegment(at: index, places[literal].segment),
        let found = find(method, target, at: index + 1, from: literal, &ends)
      {
        return found
      }
      next = places[literal].sibling
    }
    guard let parameter = places[place].parameter, !target.isSegment(at: index, []) else {
      return nil
    }
    return find(method, target, at: index + 1, from: parameter, &ends)
  }

  /// Returns the methods of some routes and the implied ones, in the order of `Method`.
  private func allowed(_ indices: some Sequence<Int>) -> [Method] {
    var methods = Set(indices.map { routes[$0].method })
    if methods.contains(.get) { methods.insert(.head) }
    methods.insert(.options)
    return Method.allCases.filter(methods.contains)
  }
}
