import TestSupport
import Testing

/// Expects an answer to be a problem (RFC 9457) with a status, a code and further members.
///
/// - Parameters:
///   - answer: The answer.
///   - status: The status it must have.
///   - code: The contract's code.
///   - members: Further members it must have, as JSON texts.
///   - label: What was asked, for the message.
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
