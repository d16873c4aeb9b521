import TreeDomain
import TreeEngine

/// Numbers for the nodes that sleeping sessions name, which outlast the nodes.
///
/// A node's id may be given to another node while a session sleeps, and all ids change when the
/// tree is compacted; a number stays with its node, and is given out again when nobody uses it.
struct NodeNumbers {
  private struct Entry {
    /// The forest root where the node is gone.
    var node: NodeID
    var uses: Int
  }

  private var entries: [Entry] = []
  private var unused: [Int] = []
  private var numbers: [NodeID: Int] = [:]

  /// The bytes of the numbers.
  var byteCount: Int {
    let number = MemoryLayout<NodeID>.stride + MemoryLayout<Int>.stride
    return entries.capacity * MemoryLayout<Entry>.stride + numbers.capacity * 4 / 3 * number
      + unused.capacity * MemoryLayout<Int>.stride
  }

  /// The number of a node, which has one user more from now on.
  ///
  /// - Parameters:
  ///   - node: The node.
  ///   - isKnown: Whether it is still the node of that id that was numbered last, if one was.
  /// - Returns: The number.
  /// - Complexity: O(1) on average.
  mutating func number(of node: NodeID, isKnown: Bool) -> Int {
    if isKnown, let number = numbers[node] {
      entries[number].uses += 1
      return number
    }
    let number = unused.popLast() ?? entries.count
    let entry = Entry(node: node, uses: 1)
    if number == entries.count { entries.append(entry) } else { entries[number] = entry }
    numbers[node] = number
    return number
  }

  /// The node of a number; nil where its id is known to be another node's.
  ///
  /// Whether the node is still there, the number does not tell.
  func node(_ number: Int) -> NodeID? {
    let node = entries[number].node
    return numbers[node] == number ? node : nil
  }

  /// Has a number one user less.
  ///
  /// - Returns: Its node, if nobody uses the number any more.
  mutating func release(_ number: Int) -> NodeID? {
    entries[number].uses -= 1
    guard entries[number].uses == 0 else { return nil }
    let node = node(number)
    if let node { numbers[node] = nil }
    entries[number].node = .forestRoot
    unused.append(number)
    return node
  }

  /// Follows the nodes to their new ids.
  mutating func renumber(_ new: NodeRenumbering) {
    let nodes = entries.indices.map { node($0).flatMap { new[$0] } }
    numbers = [:]
    for (number, node) in nodes.enumerated() {
      entries[number].node = node ?? .forestRoot
      if let node { numbers[node] = number }
    }
  }

  // MARK: Image

  /// The nodes by their numbers, the forest root for each that is gone.
  var nodes: [NodeID] { entries.indices.map { node($0) ?? .forestRoot } }

  init() {}

  /// Numbers that nobody uses as yet.
  ///
  /// - Throws: `damaged` where a node has two.
  init(_ nodes: [NodeID]) throws(ImageError) {
    for (number, node) in nodes.enumerated() {
      entries.append(Entry(node: node, uses: 0))
      guard node != .forestRoot else { continue }
      guard numbers.updateValue(number, forKey: node) == nil else { throw .damaged }
    }
  }

  /// Has a number one user more.
  ///
  /// - Throws: `damaged` where there is no such number.
  mutating func retain(_ number: Int) throws(ImageError) {
    guard entries.indices.contains(number) else { throw .damaged }
    entries[number].uses += 1
  }

  /// Gives out again the numbers that nobody uses, after all that are used were retained.
  mutating func releaseUnused() {
    for number in entries.indices.reversed() where entries[number].uses == 0 {
      if let node = node(number) { numbers[node] = nil }
      entries[number].node = .forestRoot
      unused.append(number)
    }
  }
}
