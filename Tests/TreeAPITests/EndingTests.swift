import HTTP
import Testing

/// Tests of deletions of trees and sessions with an `Idempotency-Key`.
struct EndingTests {
  private static let replayed = FieldName("Idempotency-Replayed")

  private static func key(_ token: String) -> [(FieldName, String)] { [(.idempotencyKey, token)] }

  @Test func `a repeated deletion does not delete a newer tree`() throws {
    let tester = try Tester()
    let tree = #"{"tree":"x"}"#
    #expect(try tester.send(.post, "/v1/trees", tree).status == 201)
    let first = try tester.send(.delete, "/v1/trees/x", "", Self.key("k"))
    #expect(first.status == 204 && first[Self.replayed] == nil)
    #expect(try tester.send(.post, "/v1/trees", tree).status == 201)
    let again = try tester.send(.delete, "/v1/trees/x", "", Self.key("k"))
    #expect(again.status == 204 && again[Self.replayed] == "true" && again.body.isEmpty)
    #expect(try tester.send(.get, "/v1/trees/x").status == 200)
    let other = try tester.send(.post, "/v1/trees", tree, Self.key("k"))
    #expect(other.code == "idempotency-key-reused")
    #expect(try tester.send(.delete, "/v1/trees/y", "", Self.key("k")).status == 422)
    #expect(try tester.send(.delete, "/v1/trees/x", "", Self.key("l")).status == 204)
  }

  @Test func `deletions of sessions have their own idempotency keys`() throws {
    let tester = try Tester()
    #expect(try tester.send(.post, "{s}/nodes/box/expand", "", Self.key("k")).status == 200)
    #expect(try tester.send(.post, "/v1/trees", "{}", Self.key("k")).status == 201)
    for isReplayed in [false, true] {
      let answer = try tester.send(.delete, "{s}", "", Self.key("k"))
      #expect(answer.status == 204)
      #expect(answer[Self.replayed] == (isReplayed ? "true" : nil))
    }
    #expect(try tester.send(.delete, "{s}").status == 404)
    #expect(try tester.send(.delete, "{s}", "", Self.key(" ")).code == "invalid-request")
  }
}
