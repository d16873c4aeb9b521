/// Options that every request takes.
public struct RequestOptions: Sendable {
  /// The number of times that the request is sent at most; 7 unless set, `Int.max` for ever.
  public var attempts = 7
  /// The time without any received data after which an attempt fails.
  public var timeout: Duration = .seconds(130)
  /// The revision at which alone the request is carried out; else it is 412.
  public var ifMatch: Int?
  /// The name of a write, by which it is made once however often it is sent.
  ///
  /// Each write has one. Set it to go on with a write of before.
  public var idempotencyKey: String?
  /// Other fields of the request.
  public var headers: [String: String] = [:]
  /// A function that is called before each wait for another attempt.
  public var onRetry: (@Sendable (TreeProblem) -> Void)?

  /// Makes options.
  public init(attempts: Int = 7, ifMatch: Int? = nil, idempotencyKey: String? = nil) {
    self.attempts = attempts
    self.ifMatch = ifMatch
    self.idempotencyKey = idempotencyKey
  }
}

/// A form of change lists.
public enum ChangeFormat: String, Sendable, Codable {
  /// An entry for each row.
  case rows
  /// Entries for runs of neighbouring rows.
  case ranges
  /// No entries.
  case none
}

/// A change of a session: how it is made, and how it is answered.
public struct ChangeOptions: Sendable {
  /// The form of the answer.
  public var changes: ChangeFormat?
  /// The number of rows that come with the entries about them, 1 to 1000; none if nil.
  public var rowLimit: Int?
  /// The members of those rows; all if nil.
  public var fields: [RowField]?
  /// True if entries tell places in sections, too.
  public var sections = false
  /// True if nothing is to happen: the answer says what would.
  public var dryRun = false
  /// The way in which the request is sent.
  public var request = RequestOptions()

  /// Makes options.
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

  /// True if the form of the answer is left to the client.
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

/// Parameters of a query; those that are nil are not sent.
typealias Query = [String: String?]
