/// The options of a read of single nodes.
public struct ReadOptions: Equatable, Sendable {
  /// The members of the rows.
  public var fields: RowFields
  /// The client's revision.
  ///
  /// Any other revision is refused; `nil` for no check.
  public var expectedRevision: Revision?

  /// Makes options.
  ///
  /// The default is all members at any revision.
  public init(fields: RowFields = .all, expectedRevision: Revision? = nil) {
    self.fields = fields
    self.expectedRevision = expectedRevision
  }
}
