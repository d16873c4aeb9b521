import TestSupport
import Testing

@testable import TreeEngine

struct RangeMinTreeTests {
  @Test(arguments: [4, 5, 8, 64], Seed.seeds(count: 4))
  func `a pool of trees changes like a list of arrays`(fanout: Int, seed: UInt64) {
    switch fanout {
    case 4: run(SequencePair<Fanout<4>>(), seed)
    case 5: run(SequencePair<Fanout<5>>(), seed)
    case 8: run(SequencePair<Fanout<8>>(), seed)
    default: run(SequencePair<Fanout<64>>(), seed)
    }
  }

  private func run<Width: NodeWidth>(_ given: SequencePair<Width>, _ seed: UInt64) {
    var pair = given
    var random = SeededGenerator(seed: seed)
    for step in 0..<Seed.operations(default: 150) {
      let done = pair.change(&random)
      pair.check(&random, "SEED=\(seed) step \(step): \(done)")
    }
  }

  @Test func `the sum of the summaries of two parts is the summary of the whole`() {
    var random = SeededGenerator(seed: Seed.fromEnvironment())
    for _ in 0..<500 {
      let steps = (0..<random.number(in: 1...9)).map { _ in Int32(random.number(in: -3...3)) }
      let items = steps.map {
        Summary(count: 1, sum: $0, minimum: $0, minimumCount: 1)
      }
      let cut = random.number(in: 0...items.count)
      let left = items[..<cut].reduce(.zero, +)
      let right = items[cut...].reduce(.zero, +)
      let sums = steps.indices.map { steps[...$0].reduce(0, +) }
      let least = sums.min() ?? 0
      let expected = Summary(
        count: Int32(steps.count),
        sum: steps.reduce(0, +),
        minimum: least,
        minimumCount: Int32(sums.filter { $0 == least }.count)
      )
      #expect(left + right == expected, "\(steps) cut at \(cut)")
    }
  }
}

/// The trees of a pool, and arrays with the same items.
struct SequencePair<Width: NodeWidth> {
  struct Item: RangeMinItem, Equatable {
    var owner: Int32
    var step: Int32
    var summary: Summary { Summary(count: 1, sum: step, minimum: step, minimumCount: 1) }
    static var filler: Item { Item(owner: -1, step: 0) }
  }

  typealias Pool = RangeMinTree<Item, Width>

  private var pool = Pool()
  private var trees: [(root: Pool.Root, items: [Item])] = []
  private var nextOwner: Int32 = 0

  private mutating func makeItems(_ count: Int, _ random: inout SeededGenerator) -> [Item] {
    (0..<count).map { _ in
      defer { nextOwner += 1 }
      return Item(owner: nextOwner, step: Int32(random.number(in: -2...2)))
    }
  }

  /// Applies one random change to trees and arrays.
  mutating func change(_ random: inout SeededGenerator) -> String {
    guard let tree = trees.indices.randomElement(using: &random) else { return build(&random) }
    let count = trees[tree].items.count
    switch random.number(in: 0...9) {
    case 0 where trees.count < 4: return build(&random)
    case 1 where trees.count > 1:
      let (root, _) = trees.remove(at: tree)
      pool.release(root)
      return "release of \(count)"
    case 2 where trees.count > 1: return join(tree, &random)
    case 3 where count > 0: return split(tree, at: random.number(in: 0...(count - 1)))
    case 4 where count > 0:
      return insertBalanced(tree, before: random.number(in: 0...(count - 1)), &random)
    case let die where die > 5 && count > 0:
      let position = random.number(in: 0...(count - 1))
      let (leaf, slot, _) = pool.locate(Int32(position), in: trees[tree].root)
      pool.remove(leaf: leaf, slot: slot, root: &trees[tree].root)
      trees[tree].items.remove(at: position)
      return "remove \(position) of \(count)"
    default: return insert(into: tree, at: random.number(in: 0...count), &random)
    }
  }

  private mutating func build(_ random: inout SeededGenerator) -> String {
    let items = makeItems(random.choice([0, 1, 3, 20, 90, 300]), &random)
    trees.append((pool.build(items), items))
    return "build \(items.count)"
  }

  private mutating func insert(
    into tree: Int,
    at position: Int,
    _ random: inout SeededGenerator
  ) -> String {
    for _ in 0..<random.choice([1, 1, 7]) {
      let items = makeItems(random.number(in: 1...2), &random)
      let second = items.count == 2 ? items[1] : nil
      if position == trees[tree].items.count {
        pool.append(items[0], to: &trees[tree].root)
        if let second { pool.append(second, to: &trees[tree].root) }
      } else {
        let (leaf, slot, _) = pool.locate(Int32(position), in: trees[tree].root)
        pool.insert(
          items[0],
          followedBy: second,
          leaf: leaf,
          slot: slot,
          root: &trees[tree].root
        )
      }
      trees[tree].items.insert(contentsOf: items, at: position)
    }
    return "insert at \(position)"
  }

  /// Inserts an item and subtracts its step from the next item.
  private mutating func insertBalanced(
    _ tree: Int,
    before position: Int,
    _ random: inout SeededGenerator
  ) -> String {
    let item = makeItems(1, &random)[0]
    let (leaf, slot, _) = pool.locate(Int32(position), in: trees[tree].root)
    pool[leaf, slot].step -= item.step
    pool.insertBalanced(item, leaf: leaf, slot: slot, root: &trees[tree].root)
    trees[tree].items[position].step -= item.step
    trees[tree].items.insert(item, at: position)
    return "insert balanced before \(position)"
  }

  private mutating func split(_ tree: Int, at position: Int) -> String {
    let (root, items) = trees.remove(at: tree)
    let (leaf, slot, _) = pool.locate(Int32(position), in: root)
    let (left, right) = pool.split(leaf: leaf, slot: slot)
    trees.append((left, Array(items[..<position])))
    trees.append((right, Array(items[position...])))
    return "split \(items.count) at \(position)"
  }

  private mutating func join(_ tree: Int, _ random: inout SeededGenerator) -> String {
    let left = trees.remove(at: tree)
    let right = trees.remove(at: random.number(in: 0...(trees.count - 1)))
    trees.append((pool.join(left.root, right.root), left.items + right.items))
    return "join \(left.items.count) and \(right.items.count)"
  }

  /// Compares all queries of a tree.
  func check(_ random: inout SeededGenerator, _ context: String) {
    for (root, items) in trees {
      pool.checkInvariants(of: root)
      let total = items.map(\.summary).reduce(.zero, +)
      #expect(pool.summary(of: root) == total, "\(context)")
      #expect(pool.isEmpty(root) == items.isEmpty, "\(context)")
      guard let first = items.first else { continue }
      #expect(contents(from: first.owner) == items, "\(context)")
      for _ in 0..<6 { checkPlace(random.number(in: 0...(items.count - 1)), root, items, context) }
    }
  }

  private func contents(from owner: Int32) -> [Item] {
    var items: [Item] = []
    var next: Pool.Cursor? = pool.cursor(ofOwner: owner)
    while let cursor = next {
      items.append(pool.item(cursor))
      next = pool.next(cursor)
    }
    return items
  }

  private func checkPlace(
    _ position: Int,
    _ root: Pool.Root,
    _ items: [Item],
    _ context: String
  ) {
    let (leaf, slot, sum) = pool.locate(Int32(position), in: root)
    let before = items[..<position].map(\.summary).reduce(.zero, +)
    #expect(pool[leaf, slot] == items[position] && sum == before.sum, "\(context)")
    let (count, rankSum, rankRoot) = pool.rank(leaf: leaf, slot: slot)
    #expect(rankRoot == root, "\(context)")
    #expect(count == before.count && rankSum == before.sum, "\(context)")
    #expect(pool.cursor(ofOwner: items[position].owner).prefix == before, "\(context)")
    let last = pool.last(in: root, startingAtOrBefore: Int32(position))
    #expect(last.leaf == leaf && last.slot == slot && last.prefix == before, "\(context)")
    checkScans(position, leaf, slot, items, context)
    var walked = pool.leafStart(at: 0, in: root)
    for stop in [position / 2, position] { walked = pool.leaf(at: Int32(stop), from: walked) }
    let start = position - slot
    #expect(walked.leaf == leaf && walked.count == Int32(start), "\(context)")
    #expect(walked.sum == items[..<start].reduce(0) { $0 + $1.step }, "\(context)")
  }

  /// Checks the first item from a position on, and the last one before it, at which the sum is -3
  /// or less.
  private func checkScans(
    _ position: Int,
    _ leaf: Int32,
    _ slot: Int,
    _ items: [Item],
    _ context: String
  ) {
    var sum: Int32 = 0
    let ahead = pool.scanForward(leaf: leaf, slot: slot) { run in
      if sum + run.minimum <= -3 { return true }
      sum += run.sum
      return false
    }
    let sumsAhead = items[position...].indices.map { place in
      items[position...place].reduce(0) { $0 + $1.step }
    }
    let expectedAhead = sumsAhead.firstIndex { $0 <= -3 }.map { items[position + $0] }
    #expect(ahead.map { pool[$0.leaf, $0.slot] } == expectedAhead, "\(context)")
    var after: Int32 = 0
    let behind = pool.scanBackward(leaf: leaf, slot: slot) { run in
      if after - run.sum + run.minimum <= -3 { return true }
      after -= run.sum
      return false
    }
    let expectedBehind = items[..<position].indices.last { place in
      -items[(place + 1)..<position].reduce(0) { $0 + $1.step } <= -3
    }
    #expect(behind.map { pool[$0.leaf, $0.slot] } == expectedBehind.map { items[$0] }, "\(context)")
  }
}
