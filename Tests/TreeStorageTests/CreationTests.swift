import Testing
import TreeDomain
import TreeStorage

/// Results of creation requests with an idempotency key, in each engine.
@Suite(.serialized) struct CreationTests {
  @Test(arguments: Engine.allCases)
  func `results are found by their tokens until they are forgotten`(engine: Engine) throws {
    let under = try StorageUnderTest(engine)
    let creations = (1...5).map {
      StoredCreation(token: [UInt8($0)], time: $0, body: [0, UInt8($0)])
    }
    try under.storage.commit(creations.map { .keepCreation($0) })
    #expect(try under.storage.creations() == creations)
    let newer = StoredCreation(token: [1], time: 9, body: [])
    var kept = newer
    kept.forgotten = 4
    try under.storage.commit([.keepCreation(kept)])
    try under.reopen()
    #expect(try under.storage.creations() == [creations[3], creations[4], newer])
  }

  @Test(arguments: Engine.allCases)
  func `results of the same second keep their order`(engine: Engine) throws {
    let under = try StorageUnderTest(engine)
    let creations = [5, 2, 9, 1].map { StoredCreation(token: [$0], time: 3, body: []) }
    try under.storage.commit(creations.map { .keepCreation($0) })
    try under.storage.commit([.keepCreation(creations[1])])
    try under.reopen()
    #expect(try under.storage.creations() == [0, 2, 3, 1].map { creations[$0] })
  }
}
