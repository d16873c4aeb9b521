import TestSupport
import Testing

@testable import TreeEngine

/// Tests that forks share memory with their tree but no changes.
struct ForkLawTests {
  private static let rules: [ExpansionRule] = [.all, .none, .levels(1), .levels(2)]

  @Test(arguments: Seed.seeds(count: 4))
  func `changes of a tree do not show in its forks, nor the other way round`(seed: UInt64) {
    run(HistoryPair<Fanout<4>>(rules: Self.rules, limits: HistoryLimits()), seed: seed)
  }

  @Test(arguments: Seed.seeds(count: 4))
  func `changes of filtered and reordered views do not show in forks`(seed: UInt64) {
    let limits = HistoryLimits()
    run(HistoryPair<Fanout<4>>(rules: Self.rules, limits: limits, isLayered: true), seed: seed)
  }

  @Test(arguments: Seed.seeds(count: 3))
  func `changes of views with a short history do not show in forks`(seed: UInt64) {
    let limits = HistoryLimits(commits: 40, rows: 60, totalRows: 200, removedNodes: 15)
    run(HistoryPair<Fanout<64>>(rules: Self.rules, limits: limits, isLayered: true), seed: seed)
  }

  /// A reference to a pair, so that pairs can be in an array.
  private final class Branch<Width: NodeWidth> {
    var history: HistoryPair<Width>

    init(_ history: consuming HistoryPair<Width>) { self.history = history }
  }

  private func run<Width: NodeWidth>(_ given: consuming HistoryPair<Width>, seed: UInt64) {
    var branches = [Branch(given)]
    var random = SeededGenerator(seed: seed)
    for step in 0..<Seed.operations(default: 60) {
      let place = random.number(in: 0...(branches.count - 1))
      let branch = branches[place]
      switch random.number(in: 0...9) {
      case 0, 1: if branches.count < 5 { branches.append(Branch(branch.history.fork())) }
      case 2: if branches.count > 1 { branches.remove(at: place) }
      case 3: branch.history.pair.tree.compact()
      default: branch.history.randomTransaction(&random)
      }
      for (place, branch) in branches.enumerated() {
        let context = "SEED=\(seed) step \(step) branch \(place)"
        branch.history.pair.check(pageSize: random.number(in: 1...7), context)
        branch.history.checkLimits(context)
        branch.history.checkLast(context)
        for since in branch.history.remembered where random.oneIn(5) {
          branch.history.check(since: since, context)
        }
      }
    }
  }

  @Test func `views added to and removed from a fork do not change the tree`() {
    var pair = EnginePair<Fanout<4>>(rules: [.all, .levels(1)], history: HistoryLimits())
    var random = SeededGenerator(seed: 7)
    pair.tree.begin()
    for _ in 0..<30 { _ = pair.randomOperation(&random) }
    pair.tree.commit()
    var fork = pair.tree.fork()
    fork.removeView(pair.ids[0])
    let new = fork.addView(rule: .levels(3))
    #expect(new == pair.ids[0], "the fork gives the free name away")
    fork.checkInvariants()
    #expect((pair.tree.editor.base.viewCount, fork.editor.base.viewCount) == (2, 2))
    pair.check(pageSize: 5, "after the fork changed its views")
  }

  /// A tree that many tasks fork at the same time.
  private final class SharedTree: Sendable {
    let tree: SizedTree<Fanout<4>>

    init(_ tree: consuming SizedTree<Fanout<4>>) { self.tree = tree }
  }

  @Test func `forks that threads change at the same time do not disturb each other`() async {
    var pair = EnginePair<Fanout<4>>(rules: [.all], history: HistoryLimits())
    var random = SeededGenerator(seed: 8)
    for _ in 0..<20 {
      pair.tree.begin()
      for _ in 0..<10 { _ = pair.randomOperation(&random) }
      pair.tree.commit()
    }
    let (shared, view) = (SharedTree(pair.tree.fork()), pair.ids[0])
    let expected = removing(skipping: 0, of: shared, view)
    let counts = await withTaskGroup(of: (Int, [String]).self) { group in
      for thread in 0..<4 {
        for _ in 0..<25 {
          group.addTask { (thread, removing(skipping: thread, of: shared, view)) }
        }
      }
      return await group.reduce(into: [(Int, [String])]()) { $0.append($1) }
    }
    for (thread, keys) in counts {
      #expect(keys == removing(skipping: thread, of: shared, view), "thread \(thread)")
    }
    #expect(removing(skipping: 0, of: shared, view) == expected)
    pair.check(pageSize: 5, "after the threads")
  }

  /// Removes every third root of a fork, from the end on, and returns the keys of the remaining
  /// rows.
  private func removing(
    skipping first: Int,
    of shared: SharedTree,
    _ view: SizedTree<Fanout<4>>.ViewID
  ) -> [String] {
    var fork = shared.tree.fork()
    let count = fork.childCount(of: .forestRoot)
    for index in stride(from: count - 1 - first, through: 0, by: -3) {
      fork.begin()
      fork.remove(fork.child(index, of: .forestRoot))
      fork.commit()
    }
    fork.checkInvariants()
    return fork.rows(from: 0, limit: .max, in: view).map {
      String(decoding: fork.key(of: $0.node), as: UTF8.self)
    }
  }
}
