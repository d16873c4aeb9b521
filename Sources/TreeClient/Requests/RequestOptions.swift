/// Options of every request.
public struct RequestOptions: Sendable {
  /// The maximum number of attempts; `Int.max` for no limit.
  public var attempts = 7
  /// The time without any received data after which an attempt fails.
  public var timeout: Duration = .seconds(130)
  /// The only revision at which the request is carried out; at any other, it fails with 412.
  public var ifMatch: Int?
  /// The idempotency key of a write, with which it is applied once even if it is sent repeatedly.
  ///
  /// If nil, the client creates one. Set it to continue an earlier write.
  public var idempotencyKey: String?
  /// Further header fields of the request.
  public var headers: [String: String] = [:]
  /// A function that is called before each wait for another attempt.
  public var onRetry: (@Sendable (TreeProblem) -> Void)?

  /// Creates options.
  public init(attempts: Int = 7, ifMatch: Int? = nil, idempotencyKey: String? = nil) {
    self.attempts = attempts
    self.ifMatch = ifMatch
    self.idempotencyKey = idempotencyKey
  }
}

/// The format of change lists.
public enum ChangeFormat: String, Sendable, Codable {
  /// An entry for each row.
  case rows
  /// An entry for each run of consecutive rows.
  case ranges
  /// No entries.
  case nothing = "none"
}

/// Options of a change of a session, and of its answer.
public struct ChangeOptions: Sendable {
  /// The format of the change list.
  public var changes: ChangeFormat?
  /// The maximum number of rows that the list includes, 1 to 1000; nil for none.
  public var rowLimit: Int?
  /// The members of those rows; all if nil.
  public var fields: [RowField]?
  /// True if entries have places in sections, too.
  public var sections = false
  /// True to change nothing and get the answer that the change would have.
  public var dryRun = false
  /// The options of the request.
  public var request = RequestOptions()

  /// Creates options.
  public init(
    changes: ChangeFormat? = nil,
    rowLimit: Int? = nil,
    fields: [RowField]? = nil,
    sections: Bool = false,
    dryRun: Bool = false,
    request: RequestOptions = RequestOptions()
  ) {
    self.changes = changes
    self.rowLimit = rowLimit
    self.fields = fields
    self.sections = sections
    self.dryRun = dryRun
    self.request = request
  }

  /// True if the caller leaves the form of the answer to the client.
  var leavesForm: Bool {
    changes == nil && rowLimit == nil && fields == nil && !sections && !dryRun
  }

  var query: Query {
    [
      "changes": changes?.rawValue, "include": rowLimit.map { _ in "rows" },
      "limit": rowLimit.map(String.init), "fields": fields?.joined,
      "sections": sections ? "true" : nil, "dryRun": dryRun ? "true" : nil,
    ]
  }
}

/// Parameters of a query.
///
/// A parameter that is nil is not sent.
typealias Query = [String: String?]

/// Options of a read.
public struct ReadOptions: Sendable {
  /// The expected revision; at any other, the request fails with 409 `revision-changed`.
  public var revision: Int?
  /// The options of the request.
  public var request = RequestOptions()

  /// Creates options.
  public init(revision: Int? = nil, request: RequestOptions = RequestOptions()) {
    self.revision = revision
    self.request = request
  }

  /// Returns the parameters of the query, with the requested members of rows.
  func query(_ fields: [RowField]? = nil) -> Query {
    ["revision": revision.map(String.init), "fields": fields?.joined]
  }
}
