import HTTP
import TreeDomain

extension Endpoint {
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
}
