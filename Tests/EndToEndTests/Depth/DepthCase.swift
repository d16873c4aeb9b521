import HTTP

/// A request of one route about a deep chain, and the status it must be answered with.
struct DepthCase {
  /// The method and the path's template, as the table of routes has them.
  let route: String
  var query = ""
  var body = ""
  var status = 200

  /// The request, with the names in the template put in.
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
