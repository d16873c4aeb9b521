import HTTP
import TreeDomain

// Sessions: creation, description, options, deletion, and the state of the view.
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

  /// `GET /v1/sessions/{session}`: describes a session.
  static let getSession = Endpoint(
    parameters: [.revision]
  ) { call throws(ServiceError) in
    let session = try call.service.session(
      try call.session(),
      expectedRevision: try call.query.revision()
    )
    return call.answer(at: session.revision) { session.write(to: &$0) }
  }

  /// `PATCH /v1/sessions/{session}`: changes options of a session and returns the changes of rows.
  static let patchSession = Endpoint(
    parameters: batchParameters,
    bodyTypes: [.mergePatch, .json],
    permission: .view,
    .decode { call throws(ServiceError) in
      let session = try call.session()
      let options = try call.batchOptions()
      var claimed = try SessionPatch.decode(body: call.request.body, limits: call.limits)
      claimed.claim = PatchClaim()
      let patch = claimed
      return { service throws(ServiceError) in
        if patch.changesData, let refusal = try call.refusalOfChange(service) {
          return .response(refusal.response)
        }
        let answer = try service.patchSession(session, patch, options)
        var fields = call.fields(ofListed: answer.list.format)
        fields.record(isReplayed: answer.list.wasReplayed)
        let response = Response.json(.ok, fields) { answer.write(to: &$0) }
        return HeldAnswer.reply(response, answer.list.durability)
      }
    }
  )

  /// `DELETE /v1/sessions/{session}`: deletes a session and its private tree.
  static let deleteSession = Endpoint(
    answerTypes: [],
    permission: .view,
    .answer { call throws(ServiceError) in
      let session = try call.session()
      var idempotency = try call.idempotency()
      // Kept with the tokens of the service, because those of the session are deleted with it. The
      // session's id tells the tokens of different sessions apart.
      idempotency?.token.insert(contentsOf: session.bytes + [UInt8(ascii: " ")], at: 0)
      let condition = try call.condition()
      return .ended(try call.service.deleteSession(session, condition, idempotency))
    }
  )

  /// `GET …/state`: returns the state of a session's view, from which another can be created.
  static let getState = Endpoint(parameters: [.revision]) { call throws(ServiceError) in
    let state = try call.service.state(
      of: try call.session(),
      expectedRevision: try call.query.revision()
    )
    return call.answer(at: state.revision) { state.write(to: &$0) }
  }
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
