/// An answer that reports an error (RFC 9457), or the lack of an answer.
///
/// Without an answer, `status` is 0 and `code` is `no-answer`. The code of an answer without the
/// expected form is `unexpected-answer`. The codes of the service are in `openapi.yaml`.
public struct TreeProblem: Error, Sendable, Hashable, CustomStringConvertible {
  /// The status of the answer, 400 to 599; 0 without an answer.
  public var status: Int
  /// The kind of the problem, such as `node-not-found`.
  public var code: String
  /// A sentence that says what to do.
  public var detail: String
  /// The index in the batch of the operation that failed.
  public var operation: Int?
  /// The key, or the name of the section, that caused the error.
  public var key: String?
  /// A JSON Pointer (RFC 6901) to the fault in the body.
  public var pointer: String?
  /// The line of an import, counted from 1.
  public var line: Int?
  /// The current revision of the session or tree.
  public var revision: Int?
  /// The number of rows of the session.
  public var rowCount: Int?
  /// The limit that the request exceeds.
  public var limit: Int?
  /// The time in seconds after which a retry is welcome (`Retry-After`); 0 if it is not given.
  public var retryAfter = 0.0

  /// Creates a problem without further members.
  public init(status: Int = 0, code: String, detail: String) {
    self.status = status
    self.code = code
    self.detail = detail
  }

  /// True for 408, 429, 5xx and lost connections: the same request may succeed later.
  public var isRetryable: Bool {
    code == "no-answer" || [408, 429].contains(status) || status >= 500
  }

  /// The status, the code and the detail.
  public var description: String { status == 0 ? detail : "\(status) \(code): \(detail)" }

  /// Returns the problem of a request without an answer.
  static func noAnswer(_ reason: String) -> TreeProblem {
    TreeProblem(code: "no-answer", detail: "No answer: \(reason)")
  }

  /// Creates the problem for an error of the transport.
  init(_ error: any Error) {
    self = error as? TreeProblem ?? .noAnswer("\(error)")
  }
}

extension TreeProblem: Decodable {
  private enum CodingKeys: String, CodingKey {
    case status, code, detail, operation, key, pointer, line, revision, rowCount, limit
  }

  /// Decodes the members that the answer has.
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
