/// The service behind a server.
///
/// Functions are called on the connection's event loop thread, which serves no other connection
/// meanwhile, so they must not block. Every outcome is a reply, so nothing throws.
package protocol RequestHandler: Sendable {
  /// The routes.
  ///
  /// Each request from a connection is looked up in them once.
  ///
  /// There are none by default.
  var router: Router { get }

  /// The access of other origins to responses; nil, the default, for none.
  var crossOrigin: CrossOriginPolicy? { get }

  /// Returns the name of a request's caller, or nil.
  ///
  /// It is called for the access log, and to recognize valid credentials if refused ones are
  /// counted. The result must not be secret. Nil by default.
  func caller(of request: Request) -> String?

  /// Returns true if another server of the same service has forwarded a request.
  ///
  /// The other server has checked the host, and limits clients by their addresses. The fields must
  /// prove it, because a client can send any. False by default.
  func isForwarded(_ fields: Fields) -> Bool

  /// Returns the address of the client whose request another server has forwarded, for the log.
  ///
  /// The fields must prove where they come from. Nil by default.
  func client(of fields: Fields) -> String?

  /// Announces that several connections will be served on this thread, one after another.
  ///
  /// Work that their requests wait for may be started for all of them at ``endGroup()``, which
  /// follows soon. Several event loops may call it at the same time. Does nothing by default.
  func beginGroup()

  /// Ends the group that ``beginGroup()`` began.
  func endGroup()

  /// Responds to a request, at once or later.
  func respond(to request: Request) -> Reply

  /// Returns true if a request must be served even without memory for responses.
  ///
  /// It is for requests that check the health of the service. False by default.
  func isVital(_ request: Request) -> Bool

  /// Returns a receiver for the content of a request.
  ///
  /// It is called if content is announced, before any of it is read. A request without content goes
  /// to ``respond(to:)``.
  ///
  /// - Parameter request: The request with an empty body.
  /// - Returns: The receiver, whose ``BodyReceiver/finish()`` replies instead of ``respond(to:)``.
  ///   Nil, the default, to collect the content.
  func receiver(for request: Request) -> (any BodyReceiver)?
}

extension RequestHandler {
  /// An empty router, so that the handler looks at the path itself.
  package var router: Router { Router() }

  /// Nil: other origins have no access.
  package var crossOrigin: CrossOriginPolicy? { nil }

  /// Returns nil.
  package func caller(of request: Request) -> String? { nil }

  /// Returns false.
  package func isForwarded(_ fields: Fields) -> Bool { false }

  /// Returns nil.
  package func client(of fields: Fields) -> String? { nil }

  /// Does nothing, so that each request is started separately.
  package func beginGroup() {}

  /// Does nothing.
  package func endGroup() {}

  /// Returns false.
  package func isVital(_ request: Request) -> Bool { false }

  /// Returns nil, so that the content is collected.
  package func receiver(for request: Request) -> (any BodyReceiver)? { nil }
}

/// The reply of a handler to a request.
package enum Reply: Sendable {
  /// An immediate response.
  case response(Response)
  /// A deferred answer, for which the handler does not wait.
  case later(any LateAnswer)
}
