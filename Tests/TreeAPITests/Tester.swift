import HTTP
import Testing
import TreeAPI
import TreeDomain
import TreeSessions

/// A service with one session, called without a socket.
///
/// In targets `{s}` is the path of the session. In answers its id is `S`, and the id of its tree is
/// `T`.
struct Tester {
  /// A tree with an expanded and a collapsed folder, and with keys that must be encoded in a path.
  static let sample = """
    {"expandedKeys":["fruit"],"expansion":"none","nodes":[\
    {"key":"fruit","object":{"n":1},"children":[{"key":"apple"},{"key":"pear"}]},\
    {"key":"box","children":[{"key":"nut"}]},{"key":"a/b"},{"key":"50%"},{"key":"x y"},\
    {"key":"\\"q\\""},{"key":"😀"},{"key":"lazy","children":"unloaded"}]}
    """

  let api: TreeAPI
  private let session: String
  private let tree: String

  init(
    _ body: String = Tester.sample,
    limits: SessionLimits = SessionLimits(),
    options: TreeAPIOptions = TreeAPIOptions()
  ) throws {
    api = TreeAPI(service: SessionStore(limits: limits), options: options)
    let request = try Request(
      method: .post,
      target: "/v1/sessions",
      fields: [(.contentType, "application/json")].fields,
      body: Array(body.utf8)
    )
    let response = try api.answer(to: request)
    try #require(response.status == .created)
    let parts = String(decoding: response.body, as: UTF8.self).split(separator: "\"")
    session = String(parts[3])
    tree = String(parts[7])
  }

  /// Sends a request. A body is sent as JSON unless the fields name another type.
  func send(
    _ method: Method,
    _ target: String,
    _ body: String = "",
    _ fields: [(FieldName, String)] = []
  ) throws -> Answer {
    let request = try self.request(method, target, body, fields)
    let answer = Answer(try api.answer(to: request), session: session, tree: tree)
    let path = String(decoding: request.target.raw, as: UTF8.self)
    let isDeclared = Declared.description?.allows(answer, to: method, path) == true
    #expect(isDeclared, "\(method.rawValue) \(path) does not declare \(answer.status)")
    return answer
  }

  /// Returns the request that ``send(_:_:_:_:)`` sends.
  func request(
    _ method: Method,
    _ target: String,
    _ body: String = "",
    _ fields: [(FieldName, String)] = []
  ) throws -> Request {
    let hasType = body.isEmpty || fields.contains { $0.0.bytes == FieldName.contentType.bytes }
    return try Request(
      method: method,
      target: target.replacing("{s}", with: "/v1/sessions/\(session)"),
      fields: (fields + (hasType ? [] : [(.contentType, "application/json")])).fields,
      body: Array(body.utf8)
    )
  }

  /// Sends a request with a deferred answer.
  func listen(_ target: String, _ fields: [(FieldName, String)] = []) throws -> Listener {
    try Listener(api.respond(to: request(.get, target, "", fields)))
  }

  /// Returns the response to such a request as text.
  func text(of response: Response) -> Answer { Answer(response, session: session, tree: tree) }
}

extension TreeAPI {
  /// Returns the answer to a request, which must not be deferred.
  func answer(to request: Request) throws -> Response {
    guard case .response(let response) = respond(to: request) else {
      throw Unexpected.lateAnswer
    }
    return response
  }
}

/// An error for a reply of the wrong kind.
enum Unexpected: Error {
  case lateAnswer
  case promptAnswer
  case otherStep
}

/// A response as text.
struct Answer {
  let status: Int
  let body: String
  private let response: Response
  private let session: String

  /// See ``Response/isOfReading``.
  var isOfReading: Bool { response.isOfReading }

  init(_ response: Response, session: String, tree: String) {
    self.response = response
    self.session = session
    status = response.status.code
    body = String(decoding: response.body, as: UTF8.self)
      .replacing(session, with: "S").replacing(tree, with: "T")
  }

  /// The value of a field; nil if there is none.
  subscript(name: FieldName) -> String? {
    response.fields.value(name).map {
      String(decoding: $0, as: UTF8.self).replacing(session, with: "S")
    }
  }

  /// The names and values of all fields.
  var fields: [String] {
    (0..<response.fields.count).map {
      String(decoding: response.fields.name(at: $0), as: UTF8.self) + ": "
        + String(decoding: response.fields.value(at: $0), as: UTF8.self)
    }
  }

  /// The code of a problem; nil for other answers.
  var code: String? {
    guard self[.contentType] == "application/problem+json" else { return nil }
    return member("code")
  }

  /// Returns the text of a member, which occurs once and has no escapes.
  func member(_ name: String) -> String? {
    guard let start = body.ranges(of: "\"\(name)\":\"").first?.upperBound else { return nil }
    return String(body[start...].prefix { $0 != "\"" })
  }
}

extension [(FieldName, String)] {
  var fields: Fields {
    var fields = Fields()
    for (name, value) in self { fields.append(name, value) }
    return fields
  }
}
