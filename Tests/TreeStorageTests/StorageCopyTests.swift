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

  /// Trees go to the slots that their ids lead to, and back to one storage.
  @Test func `a copy to slots and back has the same trees, sessions and answers`() throws {
    let (source, target): (any TreeStorage, any TreeStorage) = (MemoryStorage(), MemoryStorage())
    let slots: [any TreeStorage] = (0..<4).map { _ in MemoryStorage() }
    var run = RandomChanges(seed: 6)
    for _ in 0..<120 { try source.commit(run.commit()) }
    let copy = try StorageCopy.make(from: [source], to: slots)
    var (trees, sessions) = (0, 0)
    for (number, slot) in slots.enumerated() {
      let shared = try slot.sharedTrees()
      #expect(shared.allSatisfy { TreeSlots(count: 4).slot(of: $0.id.bytes) == number })
      trees += try slot.trees(after: TreeNumber(0), limit: 1_000).count
      let found = try slot.allSessions(after: nil, limit: 1_000)
      sessions += found.count
      for session in found where !session.isExpired {
        let place = copy.moved[session.id] ?? TreeSlots(count: 4).slot(of: session.id.bytes)
        #expect(place == number)
      }
      #expect(try slot.creations().count == source.creations().count)
    }
    #expect(trees == copy.trees && sessions == copy.sessions && !copy.moved.isEmpty)
    let back = try StorageCopy.make(from: slots, to: [target])
    #expect(back.trees == copy.trees && back.sessions == copy.sessions && back.moved.isEmpty)
    let (before, after) = (try source.sharedTrees(), try target.sharedTrees())
    #expect(before.map(\.id) == after.map(\.id))
    for (old, new) in zip(before, after) {
      #expect(try entries(of: old, in: source) == entries(of: new, in: target))
      #expect(old.about == new.about && old.revision == new.revision)
    }
    #expect(try Set(source.creations().map(\.token)) == Set(target.creations().map(\.token)))
  }

  /// The last entries of a tree, which are not in its snapshot.
  private func entries(
    of tree: StoredTree,
    in storage: any TreeStorage
  ) throws -> [StoredEntry] {
    let start = try storage.snapshot(of: tree.number)?.entry ?? 0
    return try storage.allEntries(of: tree.number.value, after: start)
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
