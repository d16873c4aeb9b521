import TreeDomain

/// Decides whether a piece of work may go on.
protocol WorkControl: AnyObject, Sendable {
  /// Returns if the work may go on, perhaps after others had their share of the processor.
  ///
  /// - Throws: An error that says why the work has to stop: its limit, its client, or the end of
  ///   the service.
  func check() throws(ServiceError)
}
