import HTTP
import TreeDomain

extension Endpoint {
  /// `POST /v1/sessions`: creates a session, with its own tree or a shared one.
  static let createSession = Endpoint(
    bodyTypes: [.json],
    permission: .openSession,
    .decode { call throws(ServiceError) in
      let refusal = call.refusal(at: nil)
      let idempotency = try call.idempotency()
      let sealing = call.sealing(for: idempotency)
      var generator = SystemRandomNumberGenerator()
      var new = try NewSession.decode(body: call.request.body, limits: call.limits)
      new.secret = sealing?.seal(using: &generator)
      return { [new] service throws(ServiceError) in
        if new.options.access == .write, let problem = try call.refusalOfChange(service) {
          return .response(problem.response)
        }
        if let refusal { return .response(refusal) }
        let created = try service.createSession(new, idempotency)
        let session = created.description
        var fields = Fields()
        fields.append(.location, "/v1/sessions/".utf8 + session.session.bytes)
        fields.record(isReplayed: created.wasReplayed)
        let secret = try session.secret.flatMap { sealed throws(ServiceError) in
          try sealing?.open(sealed)
        }
        let response = Response.json(.created, fields) { session.write(to: &$0, secret: secret) }
        return HeldAnswer.reply(response, created.durability)
      }
    }
  )
}

extension Call {
  /// Returns the derivation of the session's secret, if the service requires keys.
  fileprivate func sealing(for idempotency: IdempotencyKey?) -> SecretSealing? {
    guard context.access.asksForKeys else { return nil }
    return request.fields.bearerToken.map {
      SecretSealing(credential: Array($0), token: idempotency?.token ?? [])
    }
  }
}
