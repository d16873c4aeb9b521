import TreeEngine

/// All kinds of changes to a tree of about constant size, a hundred for each of its nodes.
///
/// Views are added and removed. The figures are the resident memory on the way, which must not
/// grow.
enum SoakBenchmark {
  static var benchmark: Benchmark {
    Benchmark(name: "soak", smallSize: 200, largeSize: 100_000) { size in
      var soak = Soak(size: size)
      let total = 100 * size
      return [10, 50, 100].map { percent in
        soak.run(until: total / 100 * percent)
        return Measurement(
          label: "resident after \(percent) % of \(total) changes",
          size: soak.tree.nodeCount,
          value: Double(residentBytes()),
          unit: .bytes,
          checksum: soak.checksum
        )
      }
    }
  }
}

/// A tree that is changed at random, at about constant size.
struct Soak: ~Copyable {
  private(set) var tree: Tree<64>
  private(set) var checksum: UInt64 = 0
  private static var rules: [ExpansionRule] { [.all, .none, .levels(1), .levels(3)] }
  private let size: Int
  /// A view in which everything is expanded, so that every node is a row.
  private let all: Tree<64>.ViewID
  private var views: [Tree<64>.ViewID] = []
  private var random = SplitMix(seed: 21)
  private var done = 0
  private var nextKey = 0

  init(size: Int) {
    self.size = size
    let list = NodeList(.tenfold, count: size)
    nextKey = size
    tree = Tree<64>(history: HistoryLimits(commits: 100, removedNodes: size / 10))
    all = tree.addView(rule: .all)
    tree.begin()
    _ = try? tree.insert(list.nodes[...], bytes: list.bytes, under: .forestRoot, at: 0) { _ in }
    tree.commit()
    for rule in Self.rules { views.append(tree.addView(rule: rule)) }
  }

  /// Makes changes until a total number is reached.
  mutating func run(until total: Int) {
    while done < total {
      if random.below(500) == 0 { replaceView() }
      let isUndone = random.below(50) == 0
      tree.begin()
      if random.below(2_000) == 0 { refilter() }
      for _ in 0...random.below(10) { change() }
      for view in views { updateRows(view) }
      let view = views[random.below(views.count)]
      let list = uncounted { count throws(Interruption) in
        try tree.changes(of: view, counting: count)
      }
      checksum = checksum &* 31 &+ UInt64(list.rowEntryCount)
      if isUndone { tree.rollback() } else { tree.commit() }
      if tree.wantsCompaction { tree.compact() }
    }
  }

  private mutating func replaceView() {
    let place = random.below(views.count)
    tree.removeView(views[place])
    views[place] = tree.addView(rule: Self.rules[random.below(Self.rules.count)])
  }

  private mutating func refilter() {
    let view = randomView()
    uncounted { count throws(Interruption) in
      try tree.setFilter(!tree.isFiltered(view), in: view, counting: count)
    }
  }

  private mutating func updateRows(_ view: Tree<64>.ViewID) {
    uncounted { count throws(Interruption) in
      try tree.updateRows(view, counting: count) { tree, node in
        tree.key(of: node).last == UInt8(ascii: "7")
      }
    }
  }

  private mutating func randomView() -> Tree<64>.ViewID { views[random.below(views.count)] }

  private mutating func randomNode() -> NodeID {
    tree.node(atRow: random.below(tree.nodeCount), in: all)
  }

  private mutating func change() {
    done += 1
    switch random.below(10) {
    case 0..<4: if tree.nodeCount < size { insert() } else { remove() }
    case 4..<6: move()
    case 6: update()
    case 7: select()
    default: toggle()
    }
  }

  private mutating func insert() {
    nextKey += 1
    let list = NodeList(leaf: nextKey)
    let parent = tree.parent(of: randomNode())
    let index = random.below(tree.childCount(of: parent) + 1)
    _ = try? tree.insert(list.nodes[...], bytes: list.bytes, under: parent, at: index) { _ in }
  }

  /// Removes a small subtree.
  private mutating func remove() {
    let node = randomNode()
    let below = tree.row(of: node, in: all).visibleDescendantCount
    guard below * 100 < size else { return }
    uncounted { count throws(Interruption) in try tree.remove(node, counting: count) }
  }

  /// Moves a subtree beside a random node, unless that node is in the subtree.
  private mutating func move() {
    try? tree.move(randomNode(), under: tree.parent(of: randomNode()), at: 0) { _ in }
  }

  private mutating func update() {
    let object = [UInt8](repeating: UInt8(ascii: "1"), count: 1 + random.below(80))
    tree.update(randomNode(), object: object.span)
  }

  private mutating func select() {
    let (node, view) = (randomNode(), randomView())
    if tree.isSelected(node, in: view) {
      tree.deselect([node], in: view)
    } else {
      tree.select([node], in: view)
    }
  }

  private mutating func toggle() {
    let (node, view) = (tree.parent(of: randomNode()), randomView())
    guard node != .forestRoot else { return }
    if tree.isExpanded(node, in: view) {
      tree.collapse(node, in: view)
    } else {
      tree.expand(node, in: view)
    }
  }
}
