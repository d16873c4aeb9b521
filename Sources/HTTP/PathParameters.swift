/// The values of a route's parameters in one request, decoded.
public struct PathParameters: Sendable {
  private let route: Router.Route?
  private let head: RequestHead

  /// The parameters of the route that a request goes to; none without one.
  public init(of route: Router.Route?, in request: borrowing Request) {
    self.route = route
    head = request.head
  }

  /// The value of a parameter that the route's template names.
  ///
  /// It is never empty.
  public subscript(name: String) -> ArraySlice<UInt8> {
    guard let value = value(of: name) else {
      preconditionFailure("the route has no parameter \(name)")
    }
    return value
  }

  /// The value of a parameter; nil if the route's template does not name it.
  public func value(of name: String) -> ArraySlice<UInt8>? {
    guard let route, let index = route.parameterNames.firstIndex(of: name) else { return nil }
    return head.target.segment(at: route.parameterPlaces[index])
  }
}
