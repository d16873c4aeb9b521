/// A way to the service.
protocol Access {
  /// Sends a request and waits for its answer.
  ///
  /// - Throws: When no answer can be had.
  func send(_ ask: Ask) throws -> Answer
}
