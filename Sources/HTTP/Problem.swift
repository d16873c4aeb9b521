/// An error response: `application/problem+json` (RFC 9457).
package struct Problem: Sendable {
  /// The value of an additional member.
  package enum Value: Sendable, Equatable {
    /// A number.
    case integer(Int)
    /// A text.
    case string(String)
    /// `null`.
    case null
  }

  /// The end of the member `type`, after `/problems/`.
  package var code: String
  /// The status of the response.
  package var status: Status
  /// The error in a few words, the same at every occurrence.
  package var title: String
  /// A sentence that tells the client what to do.
  package var detail: String
  /// The additional members in order, such as `limit`.
  package var members: [(name: String, value: Value)]
  /// The header fields except for the content type, such as `Allow`.
  package var fields: Fields

  /// Creates a problem of any code.
  package init(code: String, status: Status, title: String, detail: String) {
    self.code = code
    self.status = status
    self.title = title
    self.detail = detail
    members = []
    fields = Fields()
  }

  /// Creates a problem of HTTP itself.
  package init(_ code: ProblemCode, detail: String) {
    self.init(code: code.rawValue, status: code.status, title: code.title, detail: detail)
  }

  /// Returns a problem with status 405 and the `Allow` field that it requires (RFC 9110, 15.5.6).
  package static func methodNotAllowed(allowed: [Method]) -> Problem {
    let list = allowed.map(\.rawValue).joined(separator: ", ")
    var problem = Problem(.methodNotAllowed, detail: "Use one of: \(list).")
    problem.fields.append(.allow, list)
    return problem
  }

  /// Returns a problem with status 503 and `Retry-After`.
  ///
  /// - Parameter seconds: The time until the next attempt.
  /// - Returns: The problem.
  package static func overloaded(retryAfter seconds: Int) -> Problem {
    Problem(.overloaded, detail: "Try again after \(seconds) s.", retryAfter: seconds)
  }

  /// Returns a problem with status 429 and `Retry-After`, for too many connections of an address.
  ///
  /// - Parameter seconds: The time until the next attempt.
  /// - Returns: The problem.
  package static func tooManyConnections(retryAfter seconds: Int) -> Problem {
    Problem(
      .tooManyRequests,
      detail: "Close other connections from this address, and try again after \(seconds) s.",
      retryAfter: seconds
    )
  }

  /// Returns a problem with status 429 for an address with too many refused credentials.
  package static func tooManyRefusals(retryAfter seconds: Int) -> Problem {
    Problem(
      .tooManyRequests,
      detail: "Credentials from this address were refused too often; show some after \(seconds) s.",
      retryAfter: seconds
    )
  }

  /// Creates a temporary problem with `Retry-After`.
  private init(_ code: ProblemCode, detail: String, retryAfter seconds: Int) {
    self.init(code, detail: detail)
    fields.append(.retryAfter, String(seconds))
  }

  /// The response that carries the problem.
  package var response: Response {
    var fields = fields
    fields.append(.contentType, "application/problem+json")
    return Response(status, fields: fields, body: json)
  }

  /// The problem as a JSON object.
  package var json: [UInt8] {
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
