import TestSupport
import Testing
import TreeDomain

@testable import TreeSessions

/// Short works do not wait for long ones, and the order of each tree is kept.
struct CommitBacklogTests {
  /// Works of a few trees and of none, numbered in the order in which they are added.
  private struct Bench {
    let store = SessionStore()
    let trees: [LockedTree]
    var backlog = CommitBacklog()
    var sizes: [Int] = []
    /// The number of each work's tree; `nil` for a work of no tree.
    var owners: [Int?] = []
    var written: [Int] = []

    init() throws {
      trees = try (0..<4).map { [store] in try store.find(store.make("t\($0)")) }
    }

    mutating func add(_ sizes: [(owner: Int?, bytes: Int)]) {
      let works = sizes.map { size in
        defer {
          self.sizes.append(size.bytes)
          owners.append(size.owner)
        }
        return CommitWork(
          tree: size.owner.map { trees[$0] },
          changes: [.deleteTree(TreeNumber(self.sizes.count))],
          receipt: CommitReceipt(),
          bytes: size.bytes
        )
      }
      backlog.append(works, [])
    }

    /// Returns the numbers of the works in the next commit.
    mutating func commit() -> [Int] {
      let numbers = backlog.next().works.map { work -> Int in
        guard case .deleteTree(let number) = work.changes.first else { return -1 }
        return number.value
      }
      written += numbers
      return numbers
    }
  }

  private static let limit = CommitBacklog.commitBytes

  @Test func `a short work of another tree is in the next commit`() throws {
    var bench = try Bench()
    bench.add([(0, 9 * Self.limit), (0, 9 * Self.limit), (0, 10), (1, 10), (2, 10)])
    #expect(bench.commit() == [3, 4])
    bench.add([(1, 10)])
    #expect(bench.commit() == [0, 5])
    #expect(bench.commit() == [1, 2])
    #expect(bench.backlog.isEmpty)
  }

  @Test func `a work of no tree stays after earlier works, and delays no others`() throws {
    var bench = try Bench()
    bench.add([(0, 2 * Self.limit), (1, 10), (nil, 10), (2, 10), (nil, 10)])
    #expect(bench.commit() == [1, 3])
    #expect(bench.commit() == [0, 2, 4])
  }

  @Test func `a tree is not made before the deletion of an earlier one`() throws {
    var bench = try Bench()
    bench.add([(0, 2 * Self.limit), (0, 10)])
    let made = StoredTree(
      number: TreeNumber(9),
      id: try #require(TreeID(validating: "t0".utf8)),
      isPrivate: false,
      about: []
    )
    bench.backlog.append(
      [
        CommitWork(
          tree: bench.trees[1],
          changes: [.makeTree(made)],
          receipt: CommitReceipt(),
          bytes: 10
        )
      ],
      []
    )
    bench.add([(2, 10)])
    #expect(bench.commit() == [2])
    #expect(bench.commit() == [0, 1, -1])
  }

  @Test func `refused works are written separately, in order`() throws {
    var bench = try Bench()
    bench.add([(0, 2 * Self.limit), (1, 10), (2, 10), (1, 10)])
    let (refused, _) = bench.backlog.next()
    #expect(refused.count == 3)
    bench.backlog.tryApart(refused)
    #expect(bench.commit() == [1])
    #expect(bench.backlog.take(of: bench.trees[1]).count == 1)
    #expect(bench.commit() == [2])
    #expect(bench.commit() == [0])
    #expect(bench.backlog.isEmpty)
  }

  @Test func `commits keep the order of each tree and leave nothing waiting`() throws {
    for seed in Seed.seeds(count: 20) {
      var random = SeededGenerator(seed: seed)
      var bench = try Bench()
      for _ in 0..<Seed.operations(default: 200) {
        if random.oneIn(2) {
          bench.add(
            (0..<random.number(in: 1...6)).map { _ in
              let owner = random.oneIn(8) ? nil : random.number(in: 0...3)
              let bytes = random.oneIn(4) ? Self.limit / random.number(in: 1...4) * 3 : 100
              return (owner, bytes)
            }
          )
        }
        guard !bench.backlog.isEmpty else { continue }
        let oldest = (0..<bench.sizes.count).first { !bench.written.contains($0) }
        let wasPassedOver = bench.written.contains { number in oldest.map { number > $0 } ?? false }
        let commit = bench.commit()
        #expect(!commit.isEmpty, "SEED=\(seed)")
        let bytes = commit.filter { $0 != oldest }.reduce(0) { $0 + bench.sizes[$1] }
        #expect(bytes <= Self.limit, "SEED=\(seed)")
        if wasPassedOver { #expect(commit.first == oldest, "SEED=\(seed)") }
      }
      while !bench.backlog.isEmpty { _ = bench.commit() }
      #expect(bench.written.sorted() == Array(0..<bench.sizes.count), "SEED=\(seed)")
      for (place, number) in bench.written.enumerated() {
        let later = bench.written[place...].filter { $0 < number }
        let isFree = later.allSatisfy { other in
          // A work of no tree is the only one that waits for all others.
          guard let owner = bench.owners[number] else { return false }
          return owner != bench.owners[other]
        }
        #expect(isFree, "SEED=\(seed), work \(number)")
      }
    }
  }
}
