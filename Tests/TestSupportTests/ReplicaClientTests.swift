import Testing

@testable import TestSupport

struct ReplicaClientTests {
  @Test(arguments: RandomProfile.all)
  func `a replica follows valid change lists`(profile: RandomProfile) throws {
    for seed in Seed.seeds(count: 5) {
      var operations = RandomOperations(seed: seed, profile: profile)
      let session = try ModelSession(operations.options())
      var replica = ReplicaClient(session.picture)
      for step in 1...30 {
        let before = session.picture
        let batch = operations.batch(for: session)
        guard let outcome = try? session.apply(batch) else { continue }
        let reference = ReferenceChangeList(
          before: before,
          after: session.picture,
          moves: outcome.moves
        )
        try replica.apply(reference.list(ranges: false, includeRows: true))
        if replica.isUnsure { replica.readSections(session.sections) }
        let difference = replica.difference(from: session.rows)
        #expect(difference == nil, "SEED=\(seed), step \(step)")
      }
    }
  }

  @Test func `a list without rows throws an error`() throws {
    let session = try ModelSession(ModelSessionOptions())
    var replica = ReplicaClient([])
    try session.apply([.insert(ModelNestedNode("a"), parent: nil, place: .first)])
    let nothing = ModelPicture(rows: [])
    let list = ReferenceChangeList(before: nothing, after: session.picture, moves: ModelMoves())
    #expect(replica.difference(from: session.rows) != nil)
    #expect(throws: ReplicaClient.Stuck.self) {
      try replica.apply(list.list(ranges: false, includeRows: false))
    }
  }
}
