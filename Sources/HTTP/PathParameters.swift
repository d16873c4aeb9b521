/// The decoded values of a route's parameters in one request.
package struct PathParameters: Sendable {
  private let route: Router.Route?
  private let head: RequestHead

  /// Creates the parameters of a request for a route; none if the route is nil.
  package init(of route: Router.Route?, in request: borrowing Request) {
    self.route = route
    head = request.head
  }

  /// Returns the value of a parameter, which is never empty.
  ///
  /// - Precondition: The route's template has the parameter.
  package subscript(name: String) -> ArraySlice<UInt8> {
    guard let value = value(of: name) else {
      preconditionFailure("the route has no parameter \(name)")
    }
    return value
  }

  /// Returns the value of a parameter, or nil if the route's template does not have it.
  package func value(of name: String) -> ArraySlice<UInt8>? {
    guard let route, let index = route.parameterNames.firstIndex(of: name) else { return nil }
    return head.target.segment(at: route.parameterPlaces[index])
  }
}
