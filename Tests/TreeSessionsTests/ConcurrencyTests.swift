import Testing
import TreeDomain
import TreeSessions

struct ConcurrencyTests {
  @Test func `revisions of concurrent writers have no gaps`() async throws {
    let session = try StoreUnderTest()
    let (writers, batches) = (8, 60)
    let seen = try await withThrowingTaskGroup(of: [UInt64].self) { group in
      for writer in 0..<writers {
        group.addTask { try write(batches, to: session, as: writer) }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(seen.sorted() == (1...UInt64(writers * batches)).map { $0 })
    #expect(try session.keys().count == writers * batches)
  }

  @Test func `concurrent sessions can be opened and closed`() async throws {
    let store = SessionStore()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<8 {
        group.addTask {
          for step in 0..<40 {
            let session = try StoreUnderTest(#"{"nodes":[{"key":"\#(task).\#(step)"}]}"#, in: store)
            #expect(try session.keys() == ["\(task).\(step)"])
            try store.deleteSession(session.id)
          }
        }
      }
      try await group.waitForAll()
    }
  }
}

/// Inserts nodes one by one, and returns the revisions.
private func write(
  _ count: Int,
  to session: StoreUnderTest,
  as writer: Int
) throws -> [UInt64] {
  try (0..<count).map { step in
    let answer = try session.apply(#"{"op":"insert","key":"w\#(writer).\#(step)","first":true}"#)
    #expect(answer.previousRevision.next == answer.revision)
    let page = try session.store.rows(of: session.id, RowQuery(.offset(0, limit: 10)))
    #expect(page.rowCount == Int(page.revision.number), "a reader sees one revision")
    return answer.revision.number
  }
}
