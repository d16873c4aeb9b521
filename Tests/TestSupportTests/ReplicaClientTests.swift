import Testing

@testable import TestSupport

struct ReplicaClientTests {
  @Test func `a replica follows right lists and stumbles over incomplete ones`() throws {
    for seed in Seed.seeds(count: 10) {
      var operations = RandomOperations(seed: seed)
      let session = try ModelSession(operations.options())
      var replica = ReplicaClient(session.rows)
      for step in 1...40 {
        let before = session.rows
        let batch = operations.batch(for: session)
        guard let outcome = try? session.apply(batch) else { continue }
        let reference = ReferenceChangeList(
          before: before,
          after: session.rows,
          relocated: outcome.relocated
        )
        try replica.apply(reference.list(ranges: false, includeRows: true))
        let difference = replica.difference(from: session.rows)
        #expect(difference == nil, "SEED=\(seed), step \(step)")
      }
    }
  }

  @Test func `a list without rows leaves the replica stuck`() throws {
    let session = try ModelSession(ModelSessionOptions())
    var replica = ReplicaClient([])
    try session.apply([.insert(ModelNestedNode("a"), parent: nil, place: .first)])
    let list = ReferenceChangeList(before: [], after: session.rows, relocated: [])
    #expect(replica.difference(from: session.rows) != nil)
    #expect(throws: ReplicaClient.Stuck.self) {
      try replica.apply(list.list(ranges: false, includeRows: false))
    }
  }
}
