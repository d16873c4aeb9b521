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
    guard let index = names.firstIndex(of: name) else {
      preconditionFailure("the route has no parameter \(name)")
    }
    return Array(values[index])
  }
}
