public import HTTP
import TreeDomain

// What becomes of content, by the head of its request.
extension TreeAPI {
  /// What takes the content of a request as it comes; nil for one that is collected.
  ///
  /// Only content that an endpoint reads is ever held, and whoever waits for leave to send content
  /// that is of no use gets the answer instead.
  public func receiver(for request: Request) -> (any BodyReceiver)? {
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

  /// Whether a request is one by which it is found out how the service does.
  public func isVital(_ request: Request) -> Bool {
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
      // What would have to be waited for is found out when the content is there.
      return attempt.next == nil || endpoint.isReceiving ? Refusal(error.response) : nil
    }
  }

  /// Whether the sender of content that can be taken waits to be told so.
  private func asksWhetherToSend(_ request: Request) -> Bool {
    request.waitsToSend && request.announcedBytes ?? 0 <= context.options.maxBodyBytes
  }

  /// Takes the content of a request that is answered whatever it brings.
  private func unread(_ request: Request) -> any BodyReceiver {
    UnreadContent(atMost: context.options.maxUnreadBytes) { [self] in respond(to: request) }
  }

  /// Takes the content of a request that is refused whatever it brings.
  ///
  /// It is read, so that the connection can go on, only where everybody may ask for everything, and
  /// where it is little.
  private func unread(_ request: Request, _ refusal: Response) -> any BodyReceiver {
    context.access.asksForKeys || isNotPassed(request)
      ? Refusal(refusal) : UnreadContent(atMost: context.options.maxUnreadBytes, refusal: refusal)
  }

  /// Whether content that is not wanted is not waited for: its sender waits to be told that it
  /// shall send it, or said that it is more than is let pass.
  private func isNotPassed(_ request: Request) -> Bool {
    request.waitsToSend || request.announcedBytes ?? 0 > context.options.maxUnreadBytes
  }

  /// Whether the content of a request is too long to be worked at here, or may be.
  private func isForWorker(_ request: Request) -> Bool {
    request.announcedBytes ?? .max > context.options.heavyBodyBytes
  }
}
