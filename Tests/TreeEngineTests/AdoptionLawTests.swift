import TestSupport
import Testing

@testable import TreeEngine

/// Tests that rows made on a fork fit the tree, whatever changed in the tree meanwhile.
struct AdoptionLawTests {
  @Test(arguments: Seed.seeds(count: 6))
  func `rows made on a fork follow the tree at fan-out 4`(seed: UInt64) {
    run(EnginePair<Fanout<4>>(rules: [.all, .none, .levels(2)], history: Self.history), seed: seed)
  }

  @Test(arguments: Seed.seeds(count: 4))
  func `rows made on a fork follow the tree at the production fan-out`(seed: UInt64) {
    run(
      EnginePair<Fanout<64>>(rules: [.all, .none, .levels(2)], history: Self.history),
      seed: seed
    )
  }

  /// Removed nodes are remembered for a while, so that their ids are reused late.
  private static var history: HistoryLimits {
    HistoryLimits(commits: 40, rows: 10_000, removedNodes: 10_000, readings: 10_000)
  }

  private func run<Width: NodeWidth>(_ given: consuming EnginePair<Width>, seed: UInt64) {
    var pair = given
    var random = SeededGenerator(seed: seed)
    pair.commit(operations: 30, &random)
    var adoptions = 0
    for round in 0..<30 {
      let view = random.number(in: 0...pair.ids.count - 1)
      let filter = random.choice([nil, nil, "1", "2", "3", "0"])
      let order = random.choice([ViewOrder.depthFirst, .breadthFirst])
      let watch = pair.tree.watchChanges()
      let sort = random.choice([nil] + NaiveSort.allCases)
      let prepared = pair.prepared(filter, order, sort, in: view)
      for _ in 0..<random.number(in: 0...4) {
        pair.commit(operations: random.number(in: 1...3), &random)
      }
      if random.oneIn(8) { pair.tree.compact() }
      let options = "\(filter ?? "no filter") \(order) \(sort?.name ?? "")"
      let context = "SEED=\(seed) round \(round) \(options) in \(view)"
      guard let layer = prepared.layer, pair.tree.canFollow(since: watch) else { continue }
      let setsFilter = filter != pair.naive.views[view].layer.filter
      let adopted = Adopted(layer, prepared.ordering, filter, order, sort, setsFilter: setsFilter)
      guard pair.tree.canAdopt(layer, settingFilter: setsFilter, in: pair.ids[view]) else {
        continue
      }
      adoptions += 1
      pair.adopt(adopted, in: view, &random, context)
      pair.check(pageSize: random.number(in: 1...7), context)
      pair.tree.checkInvariants()
    }
    #expect(adoptions > 10)
  }

  /// The work under the lock must not depend on the number of rows.
  @Test(arguments: [ViewOrder.depthFirst, .breadthFirst], [nil, NaiveSort.allCases[0]])
  func `an order made on a fork is adopted in few steps`(
    order: ViewOrder,
    sort: NaiveSort?
  ) throws {
    var pair = EnginePair<Fanout<64>>(rules: [.all])
    pair.tree.begin()
    // A row at the top level is listed in any case.
    let top = [(key: "top", depth: 0, state: ChildState.loaded)]
    let nodes = top + (0..<3_000).map { (key: "n\($0)", depth: 1, state: ChildState.leaf) }
    try pair.insert(nodes, object: "1", under: pair.naive.root, at: 0)
    pair.tree.commit()
    let watch = pair.tree.watchChanges()
    let prepared = pair.prepared(nil, order, sort, in: 0)
    let canFollow = pair.tree.canFollow(since: watch)
    #expect(canFollow)
    let layer = try #require(prepared.layer)
    let adopted = Adopted(layer, prepared.ordering, nil, order, sort, setsFilter: false)
    var steps = 0
    pair.tree.begin()
    try pair.adopt(adopted, in: 0, listing: 10) { steps += $0 }
    pair.tree.commit()
    #expect(steps < 100)
    pair.tree.checkInvariants()
  }

  @Test func `nothing follows a moment that was not recorded`() {
    var pair = EnginePair<Fanout<4>>(rules: [.all])
    let first = pair.tree.watchChanges()
    let second = pair.tree.watchChanges()
    let (isFirst, isSecond) = (
      pair.tree.canFollow(since: first), pair.tree.canFollow(since: second)
    )
    #expect(!isFirst && isSecond)
    pair.tree.compact()
    let isLast = pair.tree.canFollow(since: second)
    #expect(!isLast)
  }

  @Test func `recording ends when nothing waits for it`() throws {
    var pair = EnginePair<Fanout<4>>(rules: [.all])
    do {
      let watch = pair.tree.watchChanges()
      withExtendedLifetime(watch) {}
    }
    pair.tree.begin()
    try pair.insert(
      [(key: "k", depth: 0, state: .leaf)],
      object: "1",
      under: pair.naive.root,
      at: 0
    )
    pair.tree.commit()
    let isRecorded = pair.tree.changeRecord != nil
    #expect(!isRecorded)
  }
}

extension EnginePair {
  /// Commits some random operations.
  fileprivate mutating func commit(operations count: Int, _ random: inout SeededGenerator) {
    tree.begin()
    for _ in 0..<count { _ = randomOperation(&random) }
    updateRows()
    tree.commit()
  }

  /// Returns the rows of a view with a filter and an order, made on a fork.
  fileprivate func prepared(
    _ filter: String?,
    _ order: ViewOrder,
    _ sort: NaiveSort?,
    in view: Int
  ) -> (layer: PreparedLayer<Width>?, ordering: PreparedOrdering<Width>?) {
    var copy = self.fork()
    copy.tree.begin()
    copy.setFilter(filter, in: view)
    copy.setOrder(order, in: view)
    copy.setSort(sort, in: view)
    copy.updateRows()
    let ordering = copy.tree.ordering(of: ids[view])
    return (
      copy.tree.preparedLayer(of: ids[view]), ordering.flatMap { copy.tree.preparedOrdering($0) }
    )
  }

  /// Sets prepared rows on a view. Sometimes the first try is stopped.
  fileprivate mutating func adopt(
    _ adopted: Adopted<Width>,
    in view: Int,
    _ random: inout SeededGenerator,
    _ context: String
  ) {
    let limit = random.choice([0, 3, Int.max])
    if random.oneIn(3) {
      let before = snapshot()
      var left = random.number(in: 0...20)
      tree.begin()
      try? adopt(adopted, in: view, listing: limit) { steps throws(Interruption) in
        left -= steps
        if left < 0 { throw Interruption() }
      }
      tree.rollback()
      #expect(snapshot() == before, "stopped, \(context)")
    }
    let lines = naive.lines(in: view)
    let reorderings = naive.reorderings[view]
    naive.moved = []
    naive.updated = []
    tree.begin()
    do throws(Interruption) {
      try adopt(adopted, in: view, listing: limit) { _ in }
    } catch {
      Issue.record("nothing stopped it, \(context)")
    }
    let (order, sort) = (adopted.order, adopted.sort)
    naive.setFilter(adopted.filter, in: view)
    if naive.views[view].layer.order != order { naive.views[view].layer.reorderings += 1 }
    naive.views[view].layer.order = order
    if naive.views[view].layer.sort != sort { naive.views[view].layer.reorderings += 1 }
    naive.views[view].layer.sort = sort
    updateRows()
    let list = tree.changes(of: ids[view])
    let after = naive.lines(in: view)
    if limit == .max {
      checkLaws(
        list,
        before: lines,
        after: after,
        wasReordered: naive.reorderings[view] != reorderings,
        moved: naive.moved,
        context
      )
    } else {
      let gone = list.deletions.reduce(0) { $0 + $1.count }
      let come = list.placements.reduce(0) { $0 + ($1.index == nil ? $1.count : 0) }
      #expect(lines.count - gone + come == after.count, "\(context)")
    }
    tree.commit()
  }

  fileprivate mutating func adopt(
    _ adopted: Adopted<Width>,
    in view: Int,
    listing limit: Int,
    counting count: SizedTree<Width>.StepCounter
  ) throws(Interruption) {
    var ordering = adopted.sort.flatMap { knownOrdering($0) }
    if let sort = adopted.sort, let prepared = adopted.ordering {
      ordering = try tree.adopt(prepared, by: NaiveSorter(sort) { _ in }, counting: count)
      orderings[sort] = ordering
    }
    let filter = adopted.filter ?? ""
    try tree.adopt(
      adopted.layer,
      settingFilter: adopted.setsFilter,
      sortedBy: ordering,
      listing: limit,
      in: ids[view],
      counting: count
    ) { tree, node in
      String(decoding: tree.object(of: node), as: UTF8.self).contains(filter)
    }
  }
}

/// A layer that was made on a fork, and its sources.
private struct Adopted<Width: NodeWidth> {
  let layer: PreparedLayer<Width>
  let ordering: PreparedOrdering<Width>?
  let filter: String?
  let order: ViewOrder
  let sort: NaiveSort?
  let setsFilter: Bool

  init(
    _ layer: PreparedLayer<Width>,
    _ ordering: PreparedOrdering<Width>?,
    _ filter: String?,
    _ order: ViewOrder,
    _ sort: NaiveSort?,
    setsFilter: Bool
  ) {
    (self.layer, self.ordering) = (layer, ordering)
    (self.filter, self.order, self.sort) = (filter, order, sort)
    self.setsFilter = setsFilter
  }
}
