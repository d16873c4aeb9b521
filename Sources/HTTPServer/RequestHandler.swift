public import HTTP

/// What answers requests.
public protocol RequestHandler: Sendable {
  /// Answers a request.
  ///
  /// Called on the thread of the connection's event loop, which serves nobody else meanwhile: it
  /// must not wait for anything. Every outcome is a response, so it does not throw.
  func respond(to request: Request) -> Response
}
