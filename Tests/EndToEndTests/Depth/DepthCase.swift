import HTTP

/// A request to a route with a deep chain, and the expected status.
struct DepthCase {
  /// The method and the path template, as in the route table.
  let route: String
  var query = ""
  var body = ""
  var status = 200

  /// Returns the request with the names filled into the template.
  func ask(_ names: [(template: String, name: String)]) throws -> Ask {
    let parts = route.split(separator: " ", maxSplits: 1).map { String($0) }
    guard let method = HTTP.Method(rawValue: parts[0]) else {
      throw WireError("there is no method \(parts[0])")
    }
    let segments = parts[1].split(separator: "/", omittingEmptySubsequences: false).map { segment in
      names.first { "{\($0.template)}" == segment }?.name ?? String(segment)
    }
    let target = segments.joined(separator: "/") + (query.isEmpty ? "" : "?" + query)
    let isImport = parts[1].hasSuffix("/import")
    let fields = isImport ? [(name: "Content-Type", value: "application/x-ndjson")] : []
    return Ask(method, target, body, fields: fields)
  }
}
