/// A query for the changes of a session.
public struct ChangesQuery: Equatable, Sendable {
  /// The client's revision.
  ///
  /// All later changes are returned as one net list.
  public var since: Revision
  /// The format of the list.
  ///
  /// The other options are ignored.
  public var options: BatchOptions

  /// Makes a query.
  public init(since: Revision, options: BatchOptions = BatchOptions()) {
    self.since = since
    self.options = options
  }
}
