/// Which changes of a session are asked for.
public struct ChangesQuery: Equatable, Sendable {
  /// The revision the client has; everything after it is told as one net list.
  public var since: Revision
  /// How to write the list; nothing but its form is looked at.
  public var options: BatchOptions

  /// Makes a query.
  public init(since: Revision, options: BatchOptions = BatchOptions()) {
    self.since = since
    self.options = options
  }
}
