package import HTTP
import TreeDomain

// Decisions about the content of a request, by its head.
extension TreeAPI {
  /// Returns a receiver for the content of a request; nil to collect it.
  ///
  /// Only content that an endpoint reads is collected. A client that waits for `100 Continue` with
  /// content of no use gets the response instead.
  package func receiver(for request: Request) -> (any BodyReceiver)? {
    switch match(request) {
    case .route(let index): return receiver(for: request, at: index)
    case .options:
      if request.waitsToSend, case .response(let response) = respond(to: request) {
        return Refusal(response)
      }
      return unread(request)
    case .methodNotAllowed(let allowed): return unread(request, Self.refusal(allowing: allowed))
    case .notFound: return unread(request, Self.routeNotFound(request).response)
    }
  }

  /// Returns true if a request checks the health of the service.
  package func isVital(_ request: Request) -> Bool {
    guard case .route(let index) = match(request) else { return false }
    return Self.endpoints[index].isVital
  }

  private func receiver(
    for request: Request,
    at index: Int
  ) -> (any BodyReceiver)? {
    let endpoint = Self.endpoints[index]
    if context.access.isGuarded(endpoint) {
      let path = PathParameters(of: router.routes[index], in: request)
      if let guardian = guardian(of: request, endpoint, path) { return guardian }
    }
    if let refusal = context.origins.refusal(of: request) { return Refusal(refusal.response) }
    guard !endpoint.bodyTypes.isEmpty else { return unread(request) }
    if endpoint.isReceiving || isNotPassed(request),
      let problem = endpoint.problem(with: request, hasBody: true)
    {
      return Refusal(problem.response)
    }
    if isForWorker(request), context.isBusy() {
      return Refusal(Problem.overloaded(retryAfter: 1).response)
    }
    let path = PathParameters(of: router.routes[index], in: request)
    let attempt = Attempt()
    do throws(ServiceError) {
      let service = context.service.answering(attempt)
      if case .receive(let receive) = endpoint.work {
        return try receive(try context.call(request, endpoint, path, service))
      }
      if asksWhetherToSend(request) {
        try context.call(request, endpoint, path, service).checkHead()
      }
      return nil
    } catch {
      // A check that must block is made again when the content is complete.
      return attempt.next == nil || endpoint.isReceiving ? Refusal(error.response) : nil
    }
  }

  /// Returns true if the client waits for `100 Continue` and its content is not too large.
  private func asksWhetherToSend(_ request: Request) -> Bool {
    request.waitsToSend && request.announcedBytes ?? 0 <= context.options.maxBodyBytes
  }

  /// Returns a receiver that discards content and then replies to the request.
  private func unread(_ request: Request) -> any BodyReceiver {
    unread(request) { [self] in respond(to: request) }
  }

  /// Returns a receiver that discards content and then replies with the result of a closure.
  func unread(_ request: Request, _ reply: @escaping @Sendable () -> Reply) -> any BodyReceiver {
    UnreadContent(atMost: context.options.maxUnreadBytes, reply: reply)
  }

  /// Returns a receiver for the content of a request that is refused in any case.
  ///
  /// The content is read and discarded, so that the connection can continue, only if the service
  /// requires no keys. It must also be short, and the client must not wait for `100 Continue`.
  func unread(_ request: Request, _ refusal: Response) -> any BodyReceiver {
    context.access.asksForKeys || isNotPassed(request)
      ? Refusal(refusal) : UnreadContent(atMost: context.options.maxUnreadBytes, refusal: refusal)
  }

  /// Returns true if content is not read when it is unwanted.
  ///
  /// Such a client waits for `100 Continue`, or has announced more than is discarded.
  private func isNotPassed(_ request: Request) -> Bool {
    request.waitsToSend || request.announcedBytes ?? 0 > context.options.maxUnreadBytes
  }

  /// Returns true if the content of a request is, or may be, too long to decode on this thread.
  private func isForWorker(_ request: Request) -> Bool {
    request.announcedBytes ?? .max > context.options.heavyBytes(of: request)
  }
}
