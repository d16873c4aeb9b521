import HTTP
import TreeDomain

extension Endpoint {
  /// `GET /problems/{code}`: explains the code of a problem, whose `type` refers to it.
  static let getProblem = Endpoint(answerTypes: [], isOpen: true) { call in
    let code = String(decoding: call.path["code"], as: UTF8.self)
    guard let page = call.context.staticAnswers.problemPages[code] else {
      return Problem(
        .routeNotFound,
        detail: "No problem has this code; GET /openapi.yaml lists the codes as ProblemCode."
      ).response
    }
    if let refusal = call.refusal(at: nil) { return refusal }
    let type = MediaType.preferred(of: [.markdown, .html], by: call.request.fields)
    return type == .html ? page.html : page.markdown
  }
}
