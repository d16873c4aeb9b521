import TestSupport
import Testing
import TreeDomain

@testable import TreeSessions

/// Long entries are written ahead of their commit, and others do not wait for them.
struct LongWorkTests {
  private static let limit = CommitBacklog.commitBytes

  /// Works of a few trees, numbered in the order in which they are added.
  private struct Bench {
    let trees: [LockedTree]
    var backlog = CommitBacklog()
    var owners: [Int] = []
    var sizes: [Int] = []
    /// The sizes of the parts that were written.
    var parts: [Int] = []
    private let store = SessionStore()

    init() throws {
      trees = try (0..<3).map { [store] in try store.find(store.make("t\($0)")) }
    }

    mutating func add(_ owner: Int, bytes: Int) {
      let number = owners.count
      let entry = CommitWork.Entry(
        text: .long([1]),
        number: number,
        revision: 1,
        nodeCount: 1,
        tree: TreeNumber(owner + 1)
      )
      let work = CommitWork(
        tree: trees[owner],
        entry: entry,
        receipt: CommitReceipt(),
        bytes: bytes
      )
      backlog.append([work], [])
      owners.append(owner)
      sizes.append(bytes)
    }

    /// Returns the numbers of the works in the next commit.
    mutating func commit() -> [Int] { backlog.next().works.compactMap { $0.entry?.number } }

    /// Writes a part of a long entry, and returns its number.
    mutating func writeAhead(hasMore: Bool) throws -> Int? {
      var number: Int?
      try backlog.writeAhead { entry, _, bytes in
        number = entry.number
        parts.append(bytes)
        return hasMore
      }
      return number
    }
  }

  @Test func `works of other trees come between the parts of a long entry`() throws {
    var bench = try Bench()
    bench.add(0, bytes: 2 * Self.limit)
    bench.add(0, bytes: 10)
    bench.add(1, bytes: 10)
    #expect(bench.commit() == [2])
    for _ in 0..<3 {
      #expect(try bench.writeAhead(hasMore: true) == 0)
      bench.add(2, bytes: 10)
      #expect(bench.commit() == [bench.owners.count - 1])
    }
    #expect(try bench.writeAhead(hasMore: false) == 0)
    #expect(bench.commit() == [0, 1])
    #expect(try bench.writeAhead(hasMore: true) == nil && bench.backlog.isEmpty)
  }

  @Test func `a long entry that storage leaves to the commit is in one`() throws {
    var bench = try Bench()
    bench.add(0, bytes: 2 * Self.limit)
    #expect(bench.commit() == [])
    #expect(try bench.writeAhead(hasMore: false) == 0)
    bench.add(1, bytes: 10)
    #expect(bench.commit() == [1])
    #expect(bench.commit() == [0])
  }

  @Test func `parts grow while no other tree has works`() throws {
    var bench = try Bench()
    bench.add(0, bytes: 2 * Self.limit)
    for _ in 0..<5 {
      #expect(bench.commit() == [])
      _ = try bench.writeAhead(hasMore: true)
    }
    bench.add(1, bytes: 10)
    #expect(bench.commit() == [1])
    _ = try bench.writeAhead(hasMore: true)
    let sizes = CommitBacklog.partSizes
    #expect(bench.parts.first == sizes.lowerBound && bench.parts[4] == sizes.upperBound)
    #expect(bench.parts == bench.parts.prefix(5).sorted() + [sizes.lowerBound])
  }

  @Test func `an entry that cannot be written ahead is found`() throws {
    var bench = try Bench()
    bench.add(0, bytes: 10)
    bench.add(1, bytes: 2 * Self.limit)
    #expect(throws: StorageError.refused("")) {
      try bench.backlog.writeAhead { _, _, _ throws(StorageError) in throw .refused("") }
    }
    #expect(bench.backlog.popLongWork()?.entry?.number == 1)
    #expect(bench.commit() == [0])
  }

  @Test(arguments: Seed.seeds(count: 20))
  func `each tree keeps its order, and short works wait only for their own tree`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    var bench = try Bench()
    var (written, done): ([Int], Set<Int>) = ([], [])
    for _ in 0..<Seed.operations(default: 300) {
      if random.oneIn(2) {
        let bytes = random.oneIn(4) ? random.number(in: 1...3) * Self.limit + 1 : 10
        bench.add(random.number(in: 0...2), bytes: bytes)
      }
      guard !bench.backlog.isEmpty else { continue }
      let commit = bench.commit()
      for number in commit where bench.sizes[number] > Self.limit {
        #expect(done.contains(number), "SEED=\(seed)")
      }
      written += commit
      let left = bench.owners.indices.filter { !written.contains($0) }
      for number in left where bench.sizes[number] <= Self.limit {
        // A long entry that storage left is in a commit alone. Its tree goes on in the next one.
        let before = left.first { bench.owners[$0] == bench.owners[number] }
        let others = commit.filter { bench.owners[$0] == bench.owners[number] } + [before ?? 0]
        #expect(others.contains { bench.sizes[$0] > Self.limit }, "SEED=\(seed)")
      }
      let hasMore = random.oneIn(2)
      let number = try bench.writeAhead(hasMore: hasMore)
      if let number, !hasMore { done.insert(number) }
    }
    for owner in 0..<3 {
      let order = written.filter { bench.owners[$0] == owner }
      #expect(order == order.sorted(), "SEED=\(seed)")
    }
  }
}
