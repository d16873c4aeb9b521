import HTTP
import TreeDomain

/// What answers one route, and what it has to know before it does.
struct Endpoint: Sendable {
  /// The query parameters it takes; any other one is refused.
  var parameters: [QueryParameter] = []
  /// The media types of the body it reads; with none, a body is of no meaning and is not looked at.
  var bodyTypes: [MediaType] = []
  /// Whether its answer is JSON, which the client's `Accept` must then allow.
  var givesJSON = true
  /// Answers a call.
  let answer: @Sendable (Call) throws(ServiceError) -> Response

  init(
    parameters: [QueryParameter] = [],
    bodyTypes: [MediaType] = [],
    givesJSON: Bool = true,
    answer: @escaping @Sendable (Call) throws(ServiceError) -> Response
  ) {
    self.parameters = parameters
    self.bodyTypes = bodyTypes
    self.givesJSON = givesJSON
    self.answer = answer
  }

  /// Finds out whether the client and this endpoint can talk; nil if they can.
  func negotiate(_ request: Request) -> Problem? {
    if givesJSON, !MediaType.json.isAcceptable(to: request.fields) {
      return Problem(
        .notAcceptable,
        detail: "The answer is application/json; let Accept allow that, or leave it out."
      )
    }
    guard !bodyTypes.isEmpty, !request.body.isEmpty else { return nil }
    return contentProblem(request.fields)
  }

  private func contentProblem(_ fields: Fields) -> Problem? {
    if let coding = fields.combinedValue(.contentEncoding), !coding[...].isToken("identity") {
      return Problem(.unsupportedMediaType, detail: "Send the body without Content-Encoding.")
    }
    let isUnderstood = bodyTypes.contains { $0.describes(fields.value(.contentType)) }
    guard !isUnderstood else { return nil }
    let names = bodyTypes.map(\.name)
    var problem = Problem(
      .unsupportedMediaType,
      detail: """
        Send the body as \(names.joined(separator: " or ")), in UTF-8; with curl: --json '…', or \
        -H 'Content-Type: \(names[0])'.
        """
    )
    problem.fields.append(.accept, names.joined(separator: ", "))
    return problem
  }
}
