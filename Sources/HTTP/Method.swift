/// A request method that the server knows (RFC 9110, 9).
///
/// Any other token gives 501, also `CONNECT`, which is only for proxies.
package enum Method: String, CaseIterable, Sendable {
  /// Reads a resource.
  case get = "GET"
  /// Reads a resource's fields: GET without the content.
  case head = "HEAD"
  /// Makes a resource process the content.
  case post = "POST"
  /// Creates or replaces a resource.
  case put = "PUT"
  /// Changes a part of a resource (RFC 5789).
  case patch = "PATCH"
  /// Removes a resource.
  case delete = "DELETE"
  /// Returns the methods that a resource allows.
  case options = "OPTIONS"
  /// Echoes the request; known only so that it gives 405 and not 501, as no resource allows it.
  case trace = "TRACE"
  /// Reads a resource by criteria in the content; known like TRACE, and allowed nowhere.
  case query = "QUERY"

  /// Creates the method with exactly these bytes, or nil; methods are case-sensitive.
  package init?(_ bytes: ArraySlice<UInt8>) {
    // The length nearly always decides.
    let place = Self.names.firstIndex { $0.count == bytes.count && bytes.elementsEqual($0) }
    guard let place else { return nil }
    self = Self.allCases[place]
  }

  /// The names of all methods.
  private static let names = allCases.map { Array($0.rawValue.utf8) }
}
