import TestSupport
import Testing
import TreeDomain
import TreeStorage

/// All engines say the same after every commit of a random run.
@Suite(.serialized) struct EngineLawTests {
  @Test(arguments: Seed.seeds(count: 4))
  func `engines agree after every commit`(seed: UInt64) throws {
    let engines = try Engine.allCases.map { try StorageUnderTest($0) }
    var run = RandomChanges(seed: seed)
    for step in 0..<Seed.operations(default: 150) {
      let changes = run.commit()
      for under in engines { try under.storage.commit(changes) }
      if run.random.oneIn(8) { _ = try engines[1].storage.sweep(limit: 3) }
      if run.random.oneIn(3) { engines[1].storage.tidy() }
      if run.random.oneIn(25) { try engines[1].reopen() }
      let pictures = try engines.map { try run.picture(of: $0.storage) }
      try #require(pictures[0] == pictures[1], "seed \(seed), step \(step)")
    }
  }
}
