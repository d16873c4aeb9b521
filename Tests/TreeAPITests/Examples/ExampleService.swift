import HTTP
import Testing
import TreeAPI
import TreeSessions

/// A service in the state of the examples in the description of the API.
struct ExampleService {
  private let api = TreeAPI(service: SessionStore())
  private var session = ""
  /// The key that replaces the one in the path, if any.
  private var key: String?

  /// The operations whose example uses a node with children.
  private static let ofFolders: Set = [
    "collapseNode", "expandNode", "listChildren", "listTreeChildren", "putChildren", "toggleNode",
  ]

  /// The batches before the request. They lead to revision 5 of the session and 3 of the tree.
  private static let batches = [
    """
    {"operations":[{"op":"insert","key":"nuts","object":{"title":"Nuts"},"children":"unloaded",\
    "childCount":3}]}
    """,
    #"{"operations":[{"op":"select","key":"pear"}]}"#,
    #"{"operations":[{"op":"collapse","key":"nuts"}]}"#,
    """
    {"operations":[{"op":"insert","key":"fig","parent":"fruit","object":{"title":"Fig"}},\
    {"op":"update","key":"pear","merge":{"ripe":true}},{"op":"remove","key":"stone"}]}
    """,
    #"{"operations":[{"op":"insert","key":"stone","object":{"title":"Stone fruit"}}]}"#,
  ]

  private static let section = #"{"operations":[{"op":"insertSection","section":"Dried"}]}"#

  /// Prepares a service for a request with the given answer.
  init(for request: APIExamples.Request, _ answer: APIExamples.AnswerExample) throws {
    if Self.ofFolders.contains(request.operation) { key = "fruit" }
    if request.operation == "putNode", answer.status == 201 { key = "quince" }
    guard request.operation != "createTree" else { return }
    let tree = """
      {"tree":"catalog","sort":[{"by":"/title","compare":"natural"}],"nodes":[{"key":"fruit",\
      "object":{"title":"Fruit"},"children":[{"key":"apple","object":{"title":"Apple"}},\
      {"key":"pear","object":{"title":"Pear"}}]},{"key":"stone"}]}
      """
    try make("/v1/trees", tree)
    let made = try make("/v1/sessions", #"{"tree":"catalog"}"#)
    session = String(try #require(made.split(separator: "\"").dropFirst(3).first))
    let hasSections = request.operation == "listSections"
    for batch in Self.batches + (hasSections ? [Self.section] : []) {
      try make("/v1/sessions/\(session)/batch", batch)
    }
  }

  /// Sends a preparing request and returns its answer, which must be a success.
  @discardableResult
  private func make(_ target: String, _ body: String) throws -> String {
    let (status, content) = try send("POST", target, "application/json", body, as: nil)
    try #require(200..<300 ~= status, "\(content)")
    return content
  }

  /// Returns the status and the content of an answer, with ids replaced by those of the examples.
  func answer(to request: APIExamples.Request, as type: String?) throws -> (Int, String) {
    var parameters = request.parameters
    if parameters["session"] != nil { parameters["session"] = session }
    if let key, parameters["key"] != nil { parameters["key"] = key }
    var target = parameters.reduce(request.path) { $0.replacing("{\($1.key)}", with: $1.value) }
    if !request.query.isEmpty { target += "?" + request.query }
    let (status, content) = try send(
      request.method,
      target,
      request.bodyType,
      request.body,
      as: type
    )
    let named = content.replacing(/s_[0-9A-Za-z]{22}/, with: "s_4f9wBq0yTn2LxVd7KcRm1Z")
      .replacing(/t_[0-9A-Za-z]{22}/, with: "t_9kQz2VbN7xYc4RmT1pLw8A")
    return (status, named)
  }

  /// Sends a request and returns the status and all content that is available at once.
  private func send(
    _ method: String,
    _ target: String,
    _ bodyType: String?,
    _ body: String,
    as type: String?
  ) throws -> (Int, String) {
    var fields: [(FieldName, String)] = []
    if let bodyType { fields.append((.contentType, bodyType)) }
    if let type { fields.append((.accept, type)) }
    let request = try Request(
      method: try #require(Method(rawValue: method)),
      target: target,
      fields: fields.fields,
      body: Array(body.utf8)
    )
    if let receiver = api.receiver(for: request) {
      let refusal = receiver.begin() ?? receiver.receive(request.body[...])
      return try Self.content(refusal.map(Reply.response) ?? receiver.finish())
    }
    return try Self.content(api.respond(to: request))
  }

  private static func content(_ reply: Reply) throws -> (Int, String) {
    if case .response(let response) = reply { return text(response, response.body) }
    let listener = try Listener(reply)
    var (first, bytes): (Response?, [UInt8]) = (nil, [])
    while true {
      switch listener.step() {
      case .answer(let response): return text(response, response.body)
      case .begin(let response):
        first = response
        bytes = response.body
      case .chunk(let more): bytes += more
      default:
        guard let first else { throw Unexpected.otherStep }
        return text(first, bytes)
      }
    }
  }

  private static func text(_ response: Response, _ bytes: [UInt8]) -> (Int, String) {
    (response.status.code, String(decoding: bytes, as: UTF8.self))
  }
}
