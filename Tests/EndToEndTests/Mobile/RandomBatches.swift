import struct TestSupport.SeededGenerator
import TreeClient

/// Batches at random, of one of several that write to one tree with the sections `A` and `B`.
struct RandomBatches: Sendable {
  private let number: Int
  private var random: SeededGenerator
  private var made = 0
  /// The keys of the nodes it has made, of which some are gone by now.
  private var own: [String] = []

  /// Batches of a writer of a number.
  init(number: Int, _ random: SeededGenerator) {
    self.number = number
    self.random = random
  }

  /// Returns operations of which one is sure to change the tree.
  mutating func next() -> [TreeOperation] {
    let others = (0..<random.number(in: 0...3)).map { _ in operation() }
    // Last, so that nothing after it takes it back.
    return others + [insertion()]
  }

  /// Notes that the last batch was applied.
  mutating func recordApplied() { own.append("\(number).\(made)") }

  private mutating func insertion() -> TreeOperation {
    made += 1
    var node = NewNode("\(number).\(made)", object: ["n": .integer(random.number(in: 0...9))])
    if made == 1 {
      node.section = "A"
    } else if random.oneIn(3) {
      node.section = section()
    } else {
      return .insert(node, into: someKey())
    }
    return .insert(node)
  }

  private mutating func operation() -> TreeOperation {
    let key = someKey()
    switch random.number(in: 0...7) {
    case 0 where random.oneIn(2): return .remove(key)
    case 1: return .move(key, into: nil, section: section())
    case 2: return .move(key, into: someKey(), at: .first)
    case 3...4: return .update(key, object: ["n": .integer(random.number(in: 0...9))])
    case 5: return .moveSection("A", to: random.number(in: 0...1))
    case 6: return .sort(by: [TreeSortDescriptor(by: "#key", compare: .natural)])
    default: return .setChildren(of: key, .nodes([NewNode(someKey())]))
    }
  }

  private mutating func section() -> String { random.oneIn(2) ? "A" : "B" }

  /// A key of its own, mostly, or one that another has made by now or will.
  private mutating func someKey() -> String {
    if let key = random.element(of: own.suffix(6)), !random.oneIn(4) { return key }
    return "\(random.number(in: 0...7)).\(random.number(in: 1...made + 1))"
  }
}
