/// Options for reading something that has a revision.
public struct ReadOptions: Sendable {
  /// The expected revision; at any other, the request fails with 409 `revision-changed`.
  public var revision: Int?
  /// The way in which the request is sent.
  public var request = RequestOptions()

  /// Makes options.
  public init(revision: Int? = nil, request: RequestOptions = RequestOptions()) {
    self.revision = revision
    self.request = request
  }

  /// The parameters, with the members of rows that are wanted.
  func query(_ fields: [RowField]? = nil) -> Query {
    ["revision": revision.map(String.init), "fields": fields?.joined]
  }
}
