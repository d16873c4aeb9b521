import HTTP
import TreeDomain

// Who asks, before it is looked at what for.
extension TreeAPI {
  /// Replies to a request of which is to be known who asks.
  func guardedReply(
    to request: Request,
    _ path: PathParameters,
    needing permission: Permission,
    _ reply: @escaping @Sendable () -> Reply
  ) -> Reply {
    do throws(ServiceError) {
      return try context.perform(for: request) { [context] service throws(ServiceError) in
        let access = context.access
        if let refusal = try access.refusal(of: request, path, needing: permission, service) {
          return .response(refusal.response)
        }
        return reply()
      }
    } catch {
      return .response(error.response)
    }
  }

  /// Answers OPTIONS at a path, or for `*`.
  ///
  /// A browser asks so by itself before it sends a page's request, without the page's credentials.
  func optionsReply(
    to request: Request,
    _ allowed: [Method],
    _ endpoint: Endpoint?,
    _ path: PathParameters
  ) -> Reply {
    var response = Router.optionsResponse(allowed: allowed)
    if endpoint != nil, allowed.contains(.patch),
      case .route(let patch) = router.match(.patch, request.target).outcome
    {
      response.fields.append(.acceptPatch, Self.endpoints[patch].bodyTypeNames)
    }
    if Preflight.isMade(by: request) {
      if request.fields.value(.origin).map(context.options.origins.contains) == true {
        for (name, value) in Preflight.fields(allowed: allowed) {
          response.fields.append(name, value)
        }
      }
      return .response(response)
    }
    guard context.access.asksForKeys, endpoint?.isOpen != true else { return .response(response) }
    let permission = endpoint?.permission(for: .options) ?? .read
    return guardedReply(to: request, path, needing: permission) { [response] in
      .response(response)
    }
  }

  /// What takes the content of a request at a guarded endpoint in place of the endpoint.
  ///
  /// Who must not send it is refused before it is read; nil for who may.
  func guardian(
    of request: Request,
    _ endpoint: Endpoint,
    _ path: PathParameters
  ) -> (any BodyReceiver)? {
    let permission = endpoint.permission(for: request.method)
    let attempt = Attempt()
    do throws(ServiceError) {
      let refusal = try context.access.refusal(
        of: request,
        path,
        needing: permission,
        context.service.answering(attempt)
      )
      return refusal.map { Refusal($0.response) }
    } catch {
      guard let executor = attempt.next else { return Refusal(error.response) }
      return AuthorizingReceiver(
        maxBytes: endpoint.isReceiving ? .max : context.options.maxBodyBytes,
        executor: executor,
        refusal: { [context] attempt in
          context.access.refusal(
            of: request,
            path,
            needing: permission,
            patiently: context.service.answering(attempt)
          )
        },
        reply: { [self] body in respond(to: request.carrying(body)) }
      )
    }
  }
}

extension AccessRule {
  /// Why a request is refused, be it that nobody can say; nil if it is not.
  fileprivate func refusal(
    of request: Request,
    _ path: PathParameters,
    needing permission: Permission,
    patiently service: any TreeService
  ) -> Response? {
    do throws(ServiceError) {
      return try refusal(of: request, path, needing: permission, service)?.response
    } catch {
      return error.response
    }
  }
}

extension Endpoint {
  /// Whether it takes its body as it comes; no secret of a session opens such a one.
  var isReceiving: Bool {
    guard case .receive = work else { return false }
    return true
  }
}

extension Call {
  /// Returns the answer to a caller who may change no data here, or nil if the caller may.
  ///
  /// It is asked for when the body tells that the request changes data.
  func refusalOfChange(_ service: any TreeService) throws(ServiceError) -> Problem? {
    try context.access.refusal(of: request, path, needing: .change, service)
  }
}
