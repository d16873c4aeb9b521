/// A query for the changes of a session.
package struct ChangesQuery: Equatable, Sendable {
  /// The client's revision.
  ///
  /// All later changes are returned as one net list.
  package var since: Revision
  /// The format of the list.
  ///
  /// The other options are ignored.
  package var options: BatchOptions

  /// Makes a query.
  package init(since: Revision, options: BatchOptions = BatchOptions()) {
    self.since = since
    self.options = options
  }
}
