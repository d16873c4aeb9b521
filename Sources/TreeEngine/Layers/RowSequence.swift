/// Rows written down one by one, where neither forest nor marks can count them: those of a filter,
/// those in breadth-first order.
///
/// A counted sequence, so that row to node and node to row are O(log); a row that comes or goes
/// costs as much, and the others shift by themselves. Rows have numbers of their own, so that the
/// sequence costs what it holds and not what the tree does.
struct RowSequence<Width: NodeWidth>: Sendable {
  /// A row, which is only counted.
  struct Row: RangeMinItem {
    var owner: Int32
    var node: NodeID
    var summary: Summary { Summary(count: 1, sum: 0, minimum: 0, minimumCount: 1) }
    static var filler: Row { Row(owner: -1, node: .forestRoot) }
  }

  private var rows = RangeMinTree<Row, Width>()
  private var root: RangeMinTree<Row, Width>.Root
  private var numbers: [NodeID: Int32] = [:]
  private var freeNumbers: [Int32] = []

  /// - Complexity: O(*n*).
  init(_ nodes: [NodeID]) {
    numbers.reserveCapacity(nodes.count)
    var items: [Row] = []
    items.reserveCapacity(nodes.count)
    for node in nodes {
      numbers[node] = Int32(items.count)
      items.append(Row(owner: Int32(items.count), node: node))
    }
    root = rows.build(items)
  }

  var count: Int32 { Int32(numbers.count) }

  /// The node of a row.
  ///
  /// - Complexity: O(log *n*).
  func node(at index: Int32) -> NodeID {
    let (leaf, slot, _) = rows.locate(index, in: root)
    return rows[leaf, slot].node
  }

  /// A node's row, or nil when it has none.
  ///
  /// - Complexity: O(log *n*).
  func index(of node: NodeID) -> Int32? {
    guard let number = numbers[node] else { return nil }
    let (leaf, slot) = rows.slot(ofOwner: number)
    return rows.rank(leaf: leaf, slot: slot).count
  }

  func contains(_ node: NodeID) -> Bool { numbers[node] != nil }

  /// The nodes of consecutive rows.
  ///
  /// - Precondition: there are so many.
  /// - Complexity: O(count + log *n*).
  func nodes(from index: Int32, count: Int32) -> [NodeID] {
    guard count > 0 else { return [] }
    var found: [NodeID] = []
    found.reserveCapacity(Int(count))
    let start = rows.locate(index, in: root)
    var slot = start.slot
    var next: Int32? = start.leaf
    while let leaf = next, found.count < count {
      let end = min(Int(rows.leafCount[Int(leaf)]), slot + Int(count) - found.count)
      for slot in slot..<end { found.append(rows[leaf, slot].node) }
      slot = 0
      next = rows.leaf(after: leaf)
    }
    return found
  }

  /// The first row of which something holds, given that it holds of all behind it, too; the count
  /// where there is none.
  ///
  /// - Complexity: O(log *n*) questions.
  func firstIndex(from start: Int32 = 0, where holds: (NodeID) -> Bool) -> Int32 {
    var low = start
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if holds(node(at: middle)) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// Puts a row in before the one at `index`.
  ///
  /// - Complexity: O(log *n*).
  mutating func insert(_ node: NodeID, at index: Int32) {
    let number = freeNumbers.popLast() ?? count
    let row = Row(owner: number, node: node)
    if index == count {
      rows.append(row, to: &root)
    } else {
      let (leaf, slot, _) = rows.locate(index, in: root)
      rows.insert(row, leaf: leaf, slot: slot, root: &root)
    }
    numbers[node] = number
  }

  /// Takes a node's row out.
  ///
  /// - Precondition: it has one.
  /// - Complexity: O(log *n*).
  mutating func remove(_ node: NodeID) {
    guard let number = numbers.removeValue(forKey: node) else {
      preconditionFailure("the node is no row")
    }
    let (leaf, slot) = rows.slot(ofOwner: number)
    rows.remove(leaf: leaf, slot: slot, root: &root)
    freeNumbers.append(number)
  }

  /// Recomputes what the sequence stores and compares; for tests.
  func checkInvariants() {
    rows.checkInvariants(of: root)
    precondition(rows.summary(of: root).count == count, "rows and numbers differ")
    for (index, node) in nodes(from: 0, count: count).enumerated() {
      precondition(self.index(of: node) == Int32(index), "a row does not know its place")
    }
  }
}
