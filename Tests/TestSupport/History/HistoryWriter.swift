/// A generator of batches for a tree with several writers that do not know each other.
///
/// Each batch that changes the tree inserts a node with a unique key. Old nodes are removed, so
/// that the tree stays small.
package struct HistoryWriter {
  /// The source of random choices.
  package var random: SeededGenerator
  private let number: Int
  private let count: Int
  private var made = 0
  /// The keys of inserted nodes, oldest first; some nodes may be gone.
  private var own: [ModelKey] = []

  /// The number of own nodes to keep.
  private static let maxOwn = 7

  /// Creates one of `count` writers.
  package init(number: Int, of count: Int, seed: UInt64) {
    self.number = number
    self.count = count
    random = SeededGenerator(seed: seed &* 1_000_003 &+ UInt64(number))
  }

  /// The options of the tree for the writers.
  package static var tree: ModelSessionOptions {
    var options = ModelSessionOptions()
    options.sections = ["A", "B"]
    options.sort = [ModelSort(by: "/n")]
    options.nodes = [ModelNestedNode("r", children: .loaded([ModelNestedNode("s")]))]
    options.nodes[0].section = "A"
    return options
  }

  /// Returns random options of a session.
  package mutating func sessionOptions() -> ModelSessionOptions {
    var options = ModelSessionOptions()
    options.rule = random.choice([.all, .all, .depth(1), .none])
    if random.oneIn(4) { options.order = .breadthFirst }
    return options
  }

  /// Returns a batch that changes the tree unless it is refused.
  package mutating func dataBatch() -> [ModelOperation] {
    var operations = (0..<random.number(in: 0...2)).map { _ in dataOperation() }
    if own.count > Self.maxOwn { operations.append(.remove(own.removeFirst())) }
    made += 1
    operations.append(insertion())
    return operations
  }

  /// Returns a batch that can be sent as an import: a new node, and some descendants.
  package mutating func importBatch() -> [ModelOperation] {
    made += 1
    var operations = [insertion()]
    var keys = [key(number, made)]
    for place in 1...random.number(in: 1...5) {
      let node = ModelNestedNode(ModelKey("\(number).\(made).\(place)"), object: object())
      operations.append(.insert(node, parent: random.choice(keys), place: .unspecified))
      keys.append(node.key)
    }
    return operations
  }

  /// Returns the insertion of the node with the last key that was made.
  private mutating func insertion() -> ModelOperation {
    let parent = random.oneIn(3) ? nil : random.oneIn(2) ? "r" : someKey()
    let section = parent == nil ? ModelKey(random.oneIn(2) ? "A" : "B") : nil
    let node = ModelNestedNode(key(number, made), object: object())
    return .insert(node, parent: parent, section: section, place: .unspecified)
  }

  /// Returns a batch with one operation that changes a view.
  package mutating func viewBatch() -> [ModelOperation] {
    switch random.number(in: 0...7) {
    case 0: [.expandAll]
    case 1: [.collapseAll]
    case 2: [.select(.keys([someKey()]))]
    case 3: [.clearSelection]
    case 4: [.expand(someKey(), levels: .count(1))]
    case 5: [.collapse("r", levels: .count(1))]
    default: [.toggle(random.oneIn(2) ? "r" : someKey(), levels: .count(1))]
    }
  }

  /// Records that a batch was applied, or may have been.
  package mutating func recordApplied(_ operations: [ModelOperation]) {
    for case .insert(let node, _, _, _) in operations { return own.append(node.key) }
  }

  private mutating func dataOperation() -> ModelOperation {
    let key = someKey()
    switch random.number(in: 0...9) {
    case 0: return .remove(key)
    case 1...2: return .move([key], parent: "r", place: .unspecified)
    case 3: return .move([key], parent: nil, section: random.oneIn(2) ? "A" : "B", place: .first)
    case 4: return .move([key], parent: someKey(), place: .unspecified)
    case 5: return .sort(.children("r"), by: [ModelSort(by: "#key", compare: .natural)])
    case 6: return .moveSection("B", index: random.number(in: 0...1))
    default: return .update(key, object: object())
    }
  }

  private mutating func object() -> RawJSON {
    let number = Array("\(random.number(in: 0...99))".utf8)
    let member = RawJSON.Member(
      name: Array("n".utf8),
      value: RawJSON(kind: .number, bytes: number)
    )
    return RawJSON(kind: .object([member]), bytes: Array(#"{"n":"#.utf8) + number + [0x7D])
  }

  private func key(_ writer: Int, _ place: Int) -> ModelKey { ModelKey("\(writer).\(place)") }

  /// Returns mostly an own key, else one that another writer made recently or will make.
  private mutating func someKey() -> ModelKey {
    if let key = random.element(of: own.suffix(4)), !random.oneIn(5) { return key }
    let other = random.number(in: 0...count - 1)
    return key(other, max(1, made - random.number(in: 0...Self.maxOwn)))
  }
}
