import HTTP
import Testing
import TreeDomain

@testable import TreeAPI

/// Tests that each access key has its own idempotency keys.
@Suite struct `A creation with an idempotency key` {
  private func create(
    _ path: String,
    _ body: String,
    by token: String,
    of gate: Gate
  ) throws -> Answer {
    try gate.send(.post, path, body, token: token, [(FieldName("Idempotency-Key"), "1")])
  }

  @Test func `of two callers creates a session for each`() throws {
    let gate = try Gate()
    let made = try Gate.keys.map { try create("/v1/sessions", "{}", by: $0, of: gate) }
    let again = try Gate.keys.map { try create("/v1/sessions", "{}", by: $0, of: gate) }
    #expect(made.allSatisfy { $0.status == 201 && $0[FieldName("Idempotency-Replayed")] == nil })
    #expect(again.map(\.body) == made.map(\.body))
    #expect(again.allSatisfy { $0[FieldName("Idempotency-Replayed")] == "true" })
    #expect(made[0].member("session") != made[1].member("session"))
    #expect(made[0].member("secret") != made[1].member("secret"))
  }

  @Test func `can differ for another caller`() throws {
    let gate = try Gate()
    let bodies = [#"{"sections":["A"]}"#, #"{"sections":["B"]}"#]
    let made = try zip(Gate.keys, bodies).map { try create("/v1/trees", $1, by: $0, of: gate) }
    #expect(made.map(\.status) == [201, 201])
    #expect(made[0].member("tree") != made[1].member("tree"))
    let other = try create("/v1/trees", bodies[1], by: Gate.keys[0], of: gate)
    #expect(other.code == "idempotency-key-reused")
  }

  @Test func `is separate for each caller on a shared tree`() throws {
    let gate = try Gate()
    let tree = #"{"tree":"t","nodes":[{"key":"a"}]}"#
    #expect(try gate.send(.post, "/v1/trees", tree, token: Gate.keys[0]).status == 201)
    let batch = #"{"operations":[{"op":"update","key":"a","object":1}]}"#
    let answers = try Gate.keys.map { try create("/v1/trees/t/batch", batch, by: $0, of: gate) }
    #expect(answers.map { $0[FieldName("Idempotency-Replayed")] } == [nil, nil])
  }
}
