/// What a read of single nodes wants besides the nodes.
public struct ReadOptions: Equatable, Sendable {
  /// The members of rows that are wanted.
  public var fields: RowFields
  /// The revision the client goes by; any other one is refused.
  public var expectedRevision: Revision?

  /// Makes options; all members at any revision is the default.
  public init(fields: RowFields = .all, expectedRevision: Revision? = nil) {
    self.fields = fields
    self.expectedRevision = expectedRevision
  }
}
