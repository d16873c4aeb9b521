/// What answers requests: all that a server knows of the service behind it.
///
/// Called on the thread of the connection's event loop, which serves nobody else meanwhile: it must
/// not wait for anything. Every outcome is a reply, so nothing throws.
public protocol RequestHandler: Sendable {
  /// The routes there are; each request that comes over a wire is looked up in them, once.
  ///
  /// None by default.
  var router: Router { get }

  /// What web pages of other origins may see of answers; nil, as by default, for nothing.
  var crossOrigin: CrossOriginPolicy? { get }

  /// Who asks, for the log of a server that keeps one; asked for that alone.
  ///
  /// Nobody by default. It must be no secret.
  func caller(of request: Request) -> String?

  /// Several connections are about to have their turn on this thread, one after another.
  ///
  /// What their requests have to wait for may be begun for all of them at ``endGroup()``, which
  /// follows soon. Loops may do so at the same time. Nothing by default.
  func beginGroup()

  /// They had their turn.
  func endGroup()

  /// Answers a request, now or later.
  func respond(to request: Request) -> Reply

  /// Whether a request is to be answered even where there is no memory left for answers: one by
  /// which it is found out how the service does.
  ///
  /// None by default.
  func isVital(_ request: Request) -> Bool

  /// What takes the content of a request as it comes.
  ///
  /// Asked where content is announced, before any of it is read; a request without content goes to
  /// ``respond(to:)`` in any case.
  ///
  /// - Parameter request: The request, its body empty.
  /// - Returns: The receiver, whose ``BodyReceiver/finish()`` replies in its place; nil, as by
  ///   default, has the content collected.
  func receiver(for request: Request) -> (any BodyReceiver)?
}

extension RequestHandler {
  /// No routes: what comes of a path is the handler's affair.
  public var router: Router { Router() }

  /// Nothing.
  public var crossOrigin: CrossOriginPolicy? { nil }

  /// Nobody in particular.
  public func caller(of request: Request) -> String? { nil }

  /// Nothing: each request is begun by itself.
  public func beginGroup() {}

  /// Nothing.
  public func endGroup() {}

  /// None.
  public func isVital(_ request: Request) -> Bool { false }

  /// Has the content collected.
  public func receiver(for request: Request) -> (any BodyReceiver)? { nil }
}
