/// The values of a route's parameters in one request, decoded.
public struct PathParameters: Sendable {
  private let names: [String]
  private let values: [ArraySlice<UInt8>]

  init(names: [String], values: [ArraySlice<UInt8>]) {
    self.names = names
    self.values = values
  }

  /// The value of a parameter that the route's template names.
  ///
  /// It is never empty.
  public subscript(name: String) -> [UInt8] {
    guard let value = value(of: name) else {
      preconditionFailure("the route has no parameter \(name)")
    }
    return value
  }

  /// The value of a parameter; nil if the route's template does not name it.
  public func value(of name: String) -> [UInt8]? {
    names.firstIndex(of: name).map { Array(values[$0]) }
  }
}
