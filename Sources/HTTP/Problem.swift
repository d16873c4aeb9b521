/// An error as it is answered: `application/problem+json` (RFC 9457).
public struct Problem: Sendable {
  /// The value of a member beyond the usual ones.
  public enum Value: Sendable, Equatable {
    /// A number.
    case integer(Int)
    /// A text.
    case string(String)
    /// `null`.
    case null
  }

  /// What `type` ends in, after `/problems/`.
  public var code: String
  /// The response's status.
  public var status: Status
  /// The error in a few words, the same at every occurrence.
  public var title: String
  /// A sentence that says what to do.
  public var detail: String
  /// Members beyond the usual ones, in order, such as `limit`.
  public var members: [(name: String, value: Value)]
  /// Header fields beside the content type, such as `Allow`.
  public var fields: Fields

  /// A problem of any code.
  public init(code: String, status: Status, title: String, detail: String) {
    self.code = code
    self.status = status
    self.title = title
    self.detail = detail
    members = []
    fields = Fields()
  }

  /// A problem of HTTP's own.
  public init(_ code: ProblemCode, detail: String) {
    self.init(code: code.rawValue, status: code.status, title: code.title, detail: detail)
  }

  /// Status 405 with the `Allow` field it requires (RFC 9110, 15.5.6).
  public static func methodNotAllowed(allowed: [Method]) -> Problem {
    let list = allowed.map(\.rawValue).joined(separator: ", ")
    var problem = Problem(.methodNotAllowed, detail: "Use one of: \(list).")
    problem.fields.append(.allow, list)
    return problem
  }

  /// Status 503 with the `Retry-After` field that goes with it.
  ///
  /// - Parameter seconds: When it is worth trying again.
  /// - Returns: The problem.
  public static func overloaded(retryAfter seconds: Int) -> Problem {
    Problem(.overloaded, detail: "Try again after \(seconds) s.", retryAfter: seconds)
  }

  /// Status 429 with the `Retry-After` field that goes with it, for a connection that is one too
  /// many from its address.
  ///
  /// - Parameter seconds: When it is worth trying again.
  /// - Returns: The problem.
  public static func tooManyConnections(retryAfter seconds: Int) -> Problem {
    Problem(
      .tooManyRequests,
      detail: "Close other connections from this address, and try again after \(seconds) s.",
      retryAfter: seconds
    )
  }

  /// The same for an address from which credentials were refused too often.
  public static func tooManyRefusals(retryAfter seconds: Int) -> Problem {
    Problem(
      .tooManyRequests,
      detail: "Credentials from this address were refused too often; show some after \(seconds) s.",
      retryAfter: seconds
    )
  }

  /// One that passes, with the field that says when it is worth trying again.
  private init(_ code: ProblemCode, detail: String, retryAfter seconds: Int) {
    self.init(code, detail: detail)
    fields.append(.retryAfter, String(seconds))
  }

  /// The response that carries this problem.
  public var response: Response {
    var fields = fields
    fields.append(.contentType, "application/problem+json")
    return Response(status, fields: fields, body: json)
  }

  /// The problem as a JSON object.
  public var json: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(256)
    bytes.append(contentsOf: #"{"type":"#.utf8)
    bytes.append(json: "/problems/" + code)
    Self.append(member: "title", .string(title), to: &bytes)
    Self.append(member: "status", .integer(status.code), to: &bytes)
    Self.append(member: "detail", .string(detail), to: &bytes)
    Self.append(member: "code", .string(code), to: &bytes)
    for (name, value) in members { Self.append(member: name, value, to: &bytes) }
    bytes.append(UInt8(ascii: "}"))
    return bytes
  }

  private static func append(member name: String, _ value: Value, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: ","))
    bytes.append(json: name)
    bytes.append(UInt8(ascii: ":"))
    switch value {
    case .integer(let number): bytes.append(contentsOf: String(number).utf8)
    case .string(let text): bytes.append(json: text)
    case .null: bytes.append(contentsOf: "null".utf8)
    }
  }
}
