import TestSupport
import Testing

/// Expects a problem answer (RFC 9457) with a status, a code and further members.
///
/// - Parameters:
///   - answer: The answer.
///   - status: The expected status.
///   - code: The expected code.
///   - members: Further expected members, as JSON texts.
///   - label: The request, for the failure message.
func expectProblem(
  _ answer: Answer,
  _ status: Int,
  _ code: String,
  _ members: [String: String] = [:],
  _ label: String = "",
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let problem = try? answer.json()
  var isRight =
    answer.status == status && answer["Content-Type"] == "application/problem+json"
    && answer["ETag"] == nil && problem?["code"]?.string == code
    && problem?["type"]?.string == "/problems/\(code)"
    && problem?["status"]?.integer == status
    && problem?["title"]?.string?.isEmpty == false
    && problem?["detail"]?.string?.isEmpty == false
  for (name, value) in members { isRight = isRight && problem?[name]?.text == value }
  #expect(
    isRight,
    "\(label): expected \(status) \(code) \(members), not \(answer.status) \(answer.text)",
    sourceLocation: sourceLocation
  )
}
