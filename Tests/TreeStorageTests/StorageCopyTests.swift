import TestSupport
import Testing
import TreeDomain
import TreeStorage

/// Copies from one engine to another.
@Suite(.serialized) struct StorageCopyTests {
  /// Random contents go from each engine to each other one, and say the same there.
  @Test(arguments: Engine.allCases, Engine.allCases)
  func `a copy is equal to the original`(from first: Engine, to second: Engine) throws {
    let (source, target) = (try StorageUnderTest(first), try StorageUnderTest(second))
    var run = RandomChanges(seed: 5)
    for _ in 0..<80 { try source.storage.commit(run.commit()) }
    let reading = ClockReading(seconds: 5, wallSeconds: 6)
    try source.storage.commit([
      .setClock(reading), .retire(RetiredRevision(slot: 3, revision: Revision(9))),
    ])
    let copy = try StorageCopy.make(from: source.storage, to: target.storage)
    #expect(copy.trees > 3 && copy.sessions > 3)
    try target.reopen()
    #expect(try run.picture(of: target.storage) == run.picture(of: source.storage))
    #expect(try target.storage.clockReading() == reading)
    #expect(try target.storage.retiredRevisions().count == 1)
    #expect(try target.storage.generations() == Generations())
    #expect(throws: StorageError.refused("something is stored there already")) {
      try StorageCopy.make(from: source.storage, to: target.storage)
    }
  }

  /// Readers may have been shown revisions of a generation in which nothing was changed yet.
  @Test(arguments: Engine.allCases)
  func `a copy goes on above the generations of the original`(engine: Engine) throws {
    let (source, target) = (MemoryStorage(), try StorageUnderTest(engine))
    try source.commit([.makeTree(sample(1, "a")), .append(sample(1), to: TreeNumber(1))])
    source.restore(source.backUp())
    let start = source.generations().current
    #expect(start.number > 0)
    _ = try StorageCopy.make(from: source, to: target.storage)
    try target.reopen()
    #expect(try target.storage.generations().current > start)
  }
}
