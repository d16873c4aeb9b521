/// A transport that carries requests to the service.
protocol Access {
  /// Sends a request and waits for its answer.
  ///
  /// - Throws: An error when no answer arrives.
  func send(_ ask: Ask) throws -> Answer
}
