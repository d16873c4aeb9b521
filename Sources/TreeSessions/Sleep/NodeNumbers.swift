import TreeDomain
import TreeEngine

/// Numbers for the nodes that sleeping sessions name.
///
/// They stay valid when nodes are removed.
///
/// While a session sleeps, a node's id may be given to another node, and compacting the tree
/// changes all ids. A number stays with its node, and is reused when no session has it any more.
struct NodeNumbers {
  private struct Entry {
    /// The node; the forest root if it no longer exists.
    var node: NodeID
    var uses: Int
  }

  private var entries: [Entry] = []
  private var unused: [Int] = []
  private var numbers: [NodeID: Int] = [:]

  /// The memory in bytes.
  var byteCount: Int {
    let number = MemoryLayout<NodeID>.stride + MemoryLayout<Int>.stride
    return entries.capacity * MemoryLayout<Entry>.stride + numbers.capacity * 4 / 3 * number
      + unused.capacity * MemoryLayout<Int>.stride
  }

  /// Returns the number of a node, and counts one more user.
  ///
  /// - Parameters:
  ///   - node: The node.
  ///   - isKnown: True if the id still belongs to the node that got its number.
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

  /// Returns the node of a number; nil if its id is known to belong to another node.
  ///
  /// The node itself may no longer exist.
  func node(_ number: Int) -> NodeID? {
    let node = entries[number].node
    return numbers[node] == number ? node : nil
  }

  /// Counts one user less of a number.
  ///
  /// - Returns: The node, if the number has no more users.
  mutating func release(_ number: Int) -> NodeID? {
    entries[number].uses -= 1
    guard entries[number].uses == 0 else { return nil }
    let node = node(number)
    if let node { numbers[node] = nil }
    entries[number].node = .forestRoot
    unused.append(number)
    return node
  }

  /// Replaces node ids after renumbering.
  mutating func renumber(_ new: NodeRenumbering) {
    let nodes = entries.indices.map { node($0).flatMap { new[$0] } }
    numbers = [:]
    for (number, node) in nodes.enumerated() {
      entries[number].node = node ?? .forestRoot
      if let node { numbers[node] = number }
    }
  }

  // MARK: Image

  /// The nodes by number; the forest root for those that no longer exist.
  var nodes: [NodeID] { entries.indices.map { node($0) ?? .forestRoot } }

  init() {}

  /// Makes numbers without users.
  ///
  /// - Throws: `damaged` if a node has two numbers.
  init(_ nodes: [NodeID]) throws(ImageError) {
    for (number, node) in nodes.enumerated() {
      entries.append(Entry(node: node, uses: 0))
      guard node != .forestRoot else { continue }
      guard numbers.updateValue(number, forKey: node) == nil else { throw .damaged }
    }
  }

  /// Counts one more user of a number.
  ///
  /// - Throws: `damaged` if the number does not exist.
  mutating func retain(_ number: Int) throws(ImageError) {
    guard entries.indices.contains(number) else { throw .damaged }
    entries[number].uses += 1
  }

  /// Makes unused numbers available, after all used ones were retained.
  mutating func releaseUnused() {
    for number in entries.indices.reversed() where entries[number].uses == 0 {
      if let node = node(number) { numbers[node] = nil }
      entries[number].node = .forestRoot
      unused.append(number)
    }
  }
}
