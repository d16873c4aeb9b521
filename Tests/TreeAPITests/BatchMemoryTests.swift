import HTTP
import Testing
import TreeDomain
import TreeSessions

@testable import TreeAPI

/// A decoded batch takes several times the memory of its body.
struct BatchMemoryTests {
  private func apply(operations count: Int, within bytes: Int) throws -> (Answer, MemoryAccount) {
    let memory = MemoryAccount(limit: bytes)
    let store = SessionStore()
    _ = try store.createTree(.decode(body: Array(#"{"tree":"t"}"#.utf8)), nil)
    let api = TreeAPI(service: store, memory: memory)
    let operations = Array(repeating: #"{"op":"sort","by":[{"by":"/a"}]}"#, count: count)
    let request = try Request(
      method: .post,
      target: "/v1/trees/t/batch",
      fields: [(.contentType, "application/json")].fields,
      body: Array(#"{"operations":[\#(operations.joined(separator: ","))]}"#.utf8)
    )
    return (Answer(try api.answer(to: request), session: "no session", tree: "t"), memory)
  }

  @Test func `a batch that was applied holds no memory`() throws {
    let (answer, memory) = try apply(operations: 5_000, within: 64 << 20)
    #expect(answer.status == 200 && memory.total == 0, "\(answer.body)")
  }

  @Test func `a batch is refused if its operations do not fit the memory`() throws {
    let (answer, memory) = try apply(operations: 5_000, within: 256 << 10)
    #expect(answer.status == 503 && answer.code == "overloaded", "\(answer.body)")
    #expect(memory.total == 0)
  }

  @Test func `a short batch is not counted`() throws {
    #expect(try apply(operations: 50, within: 1).0.status == 200)
  }
}
