import HTTP
import TreeDomain

// Authorization, before a request is processed further.
extension TreeAPI {
  /// Replies to a request after checking its caller's permission.
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

  /// Replies to OPTIONS for a path or for `*`.
  ///
  /// A browser sends a preflight by itself before a page's request, without the page's credentials.
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

  /// Returns a receiver that refuses the content of a request without permission.
  ///
  /// Returns nil if the caller has permission, so that the endpoint's own receiver is used. If the
  /// check would have to block, the receiver makes it on a worker.
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
  /// Returns the refusal, or the response for an error of the check.
  ///
  /// Nil if it is allowed.
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
