import TestSupport
import Testing
import TreeDomain
import TreeStorage

/// All engines say the same after every commit of a random run.
@Suite(.serialized) struct EngineLawTests {
  @Test(arguments: Seed.seeds(count: 4))
  func `engines agree after every commit`(seed: UInt64) throws {
    let engines = try Engine.allCases.map { try StorageUnderTest($0) }
    var run = RandomChanges(seed: seed, longEntryBytes: 150_000)
    for step in 0..<Seed.operations(default: 150) {
      let changes = run.commit()
      let isAhead = run.random.oneIn(2)
      for under in engines {
        for case .append(let entry, let tree) in changes where isAhead {
          while try under.storage.writeAhead(entry, of: tree, bytes: 1 << 16) {}
        }
        try under.storage.commit(changes)
      }
      for under in engines.dropFirst() {
        if run.random.oneIn(8) { _ = try under.storage.sweep(limit: 3) }
        if run.random.oneIn(3) { under.storage.tidy() }
        if run.random.oneIn(25) { try under.reopen() }
      }
      let pictures = try engines.map { try run.picture(of: $0.storage) }
      for picture in pictures.dropFirst() {
        try #require(pictures[0] == picture, "seed \(seed), step \(step)")
      }
    }
  }
}
