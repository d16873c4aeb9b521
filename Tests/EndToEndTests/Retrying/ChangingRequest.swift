import HTTP
import Testing

/// A request that changes a session or tree. Tests send it conditionally, as a dry run, and
/// repeatedly.
struct ChangingRequest: CustomTestStringConvertible {
  var method: HTTP.Method
  /// The path behind that of the session or tree.
  var path: String
  var body: String
  var type = "application/json"

  init(_ method: HTTP.Method, _ path: String, _ body: String = "") {
    self.method = method
    self.path = path
    self.body = body
  }

  var testDescription: String { "\(method.rawValue) \(path)" }

  /// All kinds of requests that change a session over ``Sample`` in which `pear` is selected.
  static let ofSessions = [
    ChangingRequest(
      .post,
      "/batch",
      #"{"operations":[{"op":"insert","key":"x"},{"op":"expand","key":"box"}]}"#
    ),
    ChangingRequest(.put, "/nodes/new", #"{"parent":"box"}"#),
    ChangingRequest(.put, "/nodes/apple", #"{"object":5}"#),
    ChangingRequest(.patch, "/nodes/fruit", #"{"n":2}"#),
    ChangingRequest(.delete, "/nodes/fruit"),
    ChangingRequest(.put, "/nodes/box/children", #"[{"key":"z"}]"#),
    ChangingRequest(.put, "/nodes/lazy/children", #""loading""#),
    ChangingRequest(.put, "/forest", #"[{"key":"pear"}]"#),
    ChangingRequest(.post, "/nodes/box/expand"),
    ChangingRequest(.post, "/nodes/fruit/collapse"),
    ChangingRequest(.post, "/nodes/box/toggle"),
    ChangingRequest(.post, "/nodes/nut/reveal", #"{"select":true}"#),
    ChangingRequest(.post, "/nodes/fruit/select", #"{"subtree":true}"#),
    ChangingRequest(.post, "/nodes/pear/deselect"),
    ChangingRequest(.post, "/nodes/apple/move", #"{"parent":"box"}"#),
    ChangingRequest(.post, "/expandAll"),
    ChangingRequest(.post, "/collapseAll"),
    ChangingRequest(.post, "/clearSelection"),
    ChangingRequest(.patch, "", #"{"accordion":true,"selection":"none"}"#),
    ChangingRequest(
      .patch,
      "",
      ##"{"order":"breadthFirst","filter":{"by":"#key","contains":"a"},"expansion":1}"##
    ),
    ChangingRequest(.patch, "", ##"{"sort":[{"by":"#key","direction":"descending"}]}"##),
  ]

  /// All kinds of requests that change a shared tree that contains the node `a`.
  static let ofTrees: [ChangingRequest] = {
    var lines = ChangingRequest(
      .post,
      "/import",
      "{\"key\":\"b\"}\n{\"key\":\"c\",\"parent\":\"a\"}"
    )
    lines.type = "application/x-ndjson"
    let batch = #"{"operations":[{"op":"insert","key":"b"},{"op":"remove","key":"a"}]}"#
    return [ChangingRequest(.post, "/batch", batch), lines]
  }()

  /// Returns the request for a session or tree.
  ///
  /// - Parameters:
  ///   - place: The path of the session or tree.
  ///   - query: The query without its question mark.
  ///   - fields: Header fields.
  func ask(_ place: String, query: String = "", _ fields: [String: String] = [:]) -> Ask {
    var fields = fields.map { (name: $0.key, value: $0.value) }
    if !body.isEmpty { fields.append(("Content-Type", type)) }
    let suffix = query.isEmpty ? "" : "?\(query)"
    return Ask(method, place + path + suffix, body, fields: fields)
  }
}
