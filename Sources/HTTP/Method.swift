/// A request method the server knows (RFC 9110, 9).
///
/// Any other token is answered with 501.
///
/// `CONNECT` is not here: a server that is no proxy answers it with 501 as well.
public enum Method: String, CaseIterable, Sendable {
  /// Reads a resource.
  case get = "GET"
  /// Reads a resource's fields: GET without the content.
  case head = "HEAD"
  /// Has a resource process the content.
  case post = "POST"
  /// Creates or replaces a resource.
  case put = "PUT"
  /// Changes a part of a resource (RFC 5789).
  case patch = "PATCH"
  /// Removes a resource.
  case delete = "DELETE"
  /// Asks what a resource allows.
  case options = "OPTIONS"
  /// Known so that it is answered with 405 rather than 501; no resource here allows it.
  case trace = "TRACE"
  /// Reads a resource by what the content asks; like TRACE, known and allowed nowhere.
  case query = "QUERY"

  /// The method with exactly these bytes (methods are case-sensitive), nil if there is none.
  public init?(_ bytes: ArraySlice<UInt8>) {
    // The length decides nearly always.
    let place = Self.names.firstIndex { $0.count == bytes.count && bytes.elementsEqual($0) }
    guard let place else { return nil }
    self = Self.allCases[place]
  }

  /// How all of them are written.
  private static let names = allCases.map { Array($0.rawValue.utf8) }
}
