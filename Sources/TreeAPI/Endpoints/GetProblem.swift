import HTTP
import JSON
import TreeDomain

extension Endpoint {
  /// `GET /problems/{code}`: explains the code of a problem, whose `type` refers to it.
  static let getProblem = Endpoint(answerTypes: [], isOpen: true) { call in
    let code = String(decoding: call.path["code"], as: UTF8.self)
    let pages = call.context.staticAnswers.problemPages
    guard let page = pages[code] else {
      let nearest = nearestName(to: code, among: pages.keys.sorted())
      let advice = nearest.map { "the nearest path is /problems/\($0)" }
      return Problem(
        .routeNotFound,
        detail: "No problem has this code; \(advice ?? "ProblemCode in /openapi.yaml lists all")."
      ).response
    }
    if let refusal = call.refusal(at: nil) { return refusal }
    let type = MediaType.preferred(of: [.markdown, .html], by: call.request.fields)
    return type == .html ? page.html : page.markdown
  }
}
