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
