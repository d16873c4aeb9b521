import HTTP
import Testing

@testable import TreeAPI

/// Tests of answers without a change list: `changes=none` and `Prefer: return=minimal` (RFC 7240).
@Suite struct MinimalAnswerTests {
  private static let writes: [(Method, String, String)] = [
    (.post, "{s}/batch", #"{"operations":[{"op":"expandAll"}]}"#),
    (.put, "{s}/nodes/box", #"{"object":1}"#), (.patch, "{s}/nodes/box", #"{"n":1}"#),
    (.delete, "{s}/nodes/box", ""), (.put, "{s}/nodes/box/children", "[]"),
    (.post, "{s}/nodes/box/expand", ""), (.post, "{s}/collapseAll", ""),
    (.patch, "{s}", ##"{"filter":{"by":"#key","contains":"nut"}}"##),
  ]

  @Test(arguments: writes)
  func `a preference for a minimal answer is applied and confirmed`(
    write: (Method, String, String)
  ) throws {
    let answer = try Tester().send(write.0, write.1, write.2, [(.prefer, "return=minimal")])
    #expect(answer.status == 200, "\(answer.body)")
    #expect(answer.body.contains(#""format":"none""#) && !answer.body.contains(#""changes""#))
    #expect(answer.body.contains(#""revision":1"#) && answer.body.contains(#""unloaded":["#))
    #expect(answer[.preferenceApplied] == "return=minimal")
    #expect(answer[.vary] == "Prefer")
  }

  @Test(arguments: writes)
  func `changes=none in the query gives the same answer`(write: (Method, String, String)) throws {
    let minimal = try Tester().send(write.0, write.1, write.2, [(.prefer, "return=minimal")])
    let answer = try Tester().send(write.0, "\(write.1)?changes=none", write.2)
    #expect(answer.body == minimal.body)
    #expect(answer[.preferenceApplied] == nil)
  }

  @Test(arguments: writes, ["rows", "ranges"])
  func `an explicit query takes precedence over the preference`(
    write: (Method, String, String),
    format: String
  ) throws {
    let fields: [(FieldName, String)] = [(.prefer, "return=minimal")]
    let answer = try Tester().send(write.0, "\(write.1)?changes=\(format)", write.2, fields)
    #expect(answer.body.contains(#""format":"\#(format)","changes":["#), "\(answer.body)")
    #expect(answer[.preferenceApplied] == nil && answer[.vary] == "Prefer")
  }

  @Test(arguments: [
    ("RETURN=minimal", true), ("respond-async, return=minimal; x=1", true),
    (#"return = "minimal""#, true),
    ("wait=5;foo=\"a, return=representation\", return=minimal", true),
    ("return=representation, return=minimal", false), ("return=minimally", false),
    ("return", false), ("x=\"return=minimal\"", false), ("", false),
  ])
  func `preferences are parsed as lists`(value: String, isMinimal: Bool) throws {
    let answer = try Tester().send(.post, "{s}/collapseAll", "", [(.prefer, value)])
    #expect(answer.body.contains(#""format":"none""#) == isMinimal)
    #expect((answer[.preferenceApplied] != nil) == isMinimal)
  }

  @Test func `changes without a list have revisions, and a replay confirms the preference`()
    throws
  {
    let tester = try Tester()
    let key: [(FieldName, String)] = [(.idempotencyKey, "1"), (.prefer, "return=minimal")]
    let first = try tester.send(.post, "{s}/collapseAll", "", key)
    let again = try tester.send(.post, "{s}/collapseAll", "", key)
    #expect(again.body == first.body && again[.preferenceApplied] == "return=minimal")
    let changes = try tester.send(.get, "{s}/changes?since=0&changes=none")
    #expect(changes.body.contains(#""previousRevision":0,"revision":1"#))
    #expect(changes.body.contains(#""format":"none","unloaded":[]}"#))
    #expect(changes[.vary] == "Accept, Prefer")
    let preferred = try tester.send(.get, "{s}/changes?since=0", "", [(.prefer, "return=minimal")])
    #expect(preferred.body == changes.body && preferred[.preferenceApplied] != nil)
  }

  @Test func `CORS allows the preference and exposes its confirmation`() {
    #expect(Preflight.requestFields.contains { $0.bytes == FieldName.prefer.bytes })
    #expect(Preflight.answerFields.contains { $0.bytes == FieldName.preferenceApplied.bytes })
  }
}
