/// An answer that is no success (RFC 9457), or no answer at all.
///
/// Without an answer `status` is 0 and `code` is `no-answer`. An answer that does not have the form
/// that was expected has the code `unexpected-answer`. Codes of the service are in `openapi.yaml`.
public struct TreeProblem: Error, Sendable, Hashable, CustomStringConvertible {
  /// The status of the answer, 400 to 599; 0 without an answer.
  public var status: Int
  /// The kind of the problem, such as `node-not-found`.
  public var code: String
  /// A sentence that says what to do.
  public var detail: String
  /// The place in its batch of the operation that failed.
  public var operation: Int?
  /// The key, or the name of a section, that the fault is about.
  public var key: String?
  /// A JSON Pointer (RFC 6901) to the place in the body.
  public var pointer: String?
  /// The line of an import, counted from 1.
  public var line: Int?
  /// The revision of what was asked for.
  public var revision: Int?
  /// The number of rows of the session.
  public var rowCount: Int?
  /// The limit that was met.
  public var limit: Int?
  /// The seconds for which the service wants to be left alone; 0 if it did not say.
  public var retryAfter = 0.0

  /// Makes a problem that has no more to say than this.
  public init(status: Int = 0, code: String, detail: String) {
    self.status = status
    self.code = code
    self.detail = detail
  }

  /// True for 429, for 5xx and for lost connections: the same request may succeed later.
  public var isRetryable: Bool { code == "no-answer" || status == 429 || status >= 500 }

  /// The code, and what to do.
  public var description: String { status == 0 ? detail : "\(status) \(code): \(detail)" }

  /// The problem of a request without an answer.
  static func noAnswer(_ reason: String) -> TreeProblem {
    TreeProblem(code: "no-answer", detail: "No answer: \(reason)")
  }

  /// The problem that an error stands for.
  init(_ error: any Error) {
    self = error as? TreeProblem ?? .noAnswer("\(error)")
  }
}

extension TreeProblem: Decodable {
  private enum CodingKeys: String, CodingKey {
    case status, code, detail, operation, key, pointer, line, revision, rowCount, limit
  }

  /// Reads the members that are there.
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    status = try members.decodeIfPresent(Int.self, forKey: .status) ?? 0
    code = try members.decode(String.self, forKey: .code)
    detail = try members.decodeIfPresent(String.self, forKey: .detail) ?? code
    operation = try members.decodeIfPresent(Int.self, forKey: .operation)
    key = try members.decodeIfPresent(String.self, forKey: .key)
    pointer = try members.decodeIfPresent(String.self, forKey: .pointer)
    line = try members.decodeIfPresent(Int.self, forKey: .line)
    revision = try members.decodeIfPresent(Int.self, forKey: .revision)
    rowCount = try members.decodeIfPresent(Int.self, forKey: .rowCount)
    limit = try members.decodeIfPresent(Int.self, forKey: .limit)
  }
}
