/// A stored list of rows: the rows of a filter, or rows in another order than the tree's.
///
/// It is a counted sequence. So finding a row by node or a node by row, insertion and removal take
/// O(log *n*). Rows have numbers of their own, so its size depends on the rows and not on the tree.
///
/// As in ``Forest``, each row stores the difference of its depth to that of the row before. Under a
/// filter, the rows are in pre-order, and the parent of each row is a row, too. So these
/// differences determine siblings and descendants.
struct RowSequence<Width: NodeWidth>: Sendable {
  typealias Listed = RowDelta<Width>.Listed

  /// An entry of the sequence.
  struct Row: RangeMinItem {
    var owner: Int32
    var node: NodeID
    /// The difference of its depth to that of the row before; the depth for the first row.
    var step: Int32

    var summary: Summary { Summary(count: 1, sum: step, minimum: step, minimumCount: 1) }
    static var filler: Row { Row(owner: -1, node: .forestRoot, step: 0) }
  }

  /// The place of a row in the sequence.
  struct Place: PreorderPlace {
    var leaf: Int32
    var slot: Int
    var index: Int32
    var depth: Int32
  }

  /// A change that can be undone.
  private enum Edit: Sendable {
    case inserted(at: Int32)
    case removed(NodeID, depth: Int32, at: Int32)
  }

  private(set) var rows = RangeMinTree<Row, Width>()
  private var root: RangeMinTree<Row, Width>.Root
  private var numbers: NodeTable<Int32>
  private var freeNumbers: [Int32] = []
  /// The changes of the running transaction, in their order.
  private var edits: [Edit] = []

  /// Creates a sequence of rows.
  ///
  /// - Parameters:
  ///   - listed: The rows.
  ///   - pass: Counts the steps.
  /// - Complexity: O(*n*).
  init(_ listed: [Listed], passing pass: (Int) -> Void = { _ in }) {
    numbers = NodeTable(minimumCapacity: listed.count)
    var items: [Row] = []
    items.reserveCapacity(listed.count)
    var depth: Int32 = 0
    for row in listed {
      let number = Int32(items.count)
      pass(1)
      numbers[row.node] = number
      items.append(Row(owner: number, node: row.node, step: row.depth - depth))
      depth = row.depth
    }
    root = rows.build(items, passing: pass)
  }

  var count: Int32 { Int32(numbers.count) }

  /// The memory of the rows and their numbers, in bytes.
  ///
  /// - Complexity: O(1).
  var byteCount: Int { rows.byteCount + numbers.byteCount + freeNumbers.byteCount }

  /// Returns the node of a row.
  ///
  /// - Precondition: `index` is below the count.
  /// - Complexity: O(log *n*).
  func node(at index: Int32) -> NodeID {
    let (leaf, slot, _) = rows.locate(index, in: root)
    return rows[leaf, slot].node
  }

  /// Returns the index of a node's row; nil if it has none.
  ///
  /// - Complexity: O(log *n*).
  func index(of node: NodeID) -> Int32? {
    guard let number = numbers[node] else { return nil }
    let (leaf, slot) = rows.slot(ofOwner: number)
    return rows.rank(leaf: leaf, slot: slot).count
  }

  func contains(_ node: NodeID) -> Bool { numbers[node] != nil }

  func node(at place: Place) -> NodeID { rows[place.leaf, place.slot].node }

  /// Returns the place of a row.
  ///
  /// - Precondition: `index` is below the count.
  /// - Complexity: O(log *n*).
  func place(at index: Int32) -> Place {
    let (leaf, slot, sum) = rows.locate(index, in: root)
    return Place(leaf: leaf, slot: slot, index: index, depth: sum + rows[leaf, slot].step)
  }

  /// Returns the place of a node's row; nil if it has none.
  ///
  /// - Complexity: O(log *n*).
  func place(of node: NodeID) -> Place? {
    guard let number = numbers[node] else { return nil }
    let (leaf, slot) = rows.slot(ofOwner: number)
    let (index, sum, _) = rows.rank(leaf: leaf, slot: slot)
    return Place(leaf: leaf, slot: slot, index: index, depth: sum + rows[leaf, slot].step)
  }

  /// Returns the nodes of consecutive rows.
  ///
  /// - Precondition: The sequence has `count` rows from `index` on.
  /// - Complexity: O(count + log *n*).
  func nodes(from index: Int32, count: Int32) -> [NodeID] {
    guard count > 0 else { return [] }
    var found: [NodeID] = []
    found.reserveCapacity(Int(count))
    let start = rows.locate(index, in: root)
    var slot = start.slot
    var next: Int32? = start.leaf
    while let leaf = next, found.count < count {
      let end = min(rows.count(ofLeaf: leaf), slot + Int(count) - found.count)
      for slot in slot..<end { found.append(rows[leaf, slot].node) }
      slot = 0
      next = rows.leaf(after: leaf)
    }
    return found
  }

  /// Returns consecutive rows.
  ///
  /// - Precondition: The sequence has `count` rows from `index` on.
  /// - Complexity: O(count + log *n*).
  func listed(
    from index: Int32,
    count: Int32,
    in forest: borrowing Forest<Width>
  ) -> [Listed] {
    guard count > 0 else { return [] }
    var found: [Listed] = []
    found.reserveCapacity(Int(count))
    var depth = index > 0 ? place(at: index - 1).depth : 0
    let start = rows.locate(index, in: root)
    var slot = start.slot
    var next: Int32? = start.leaf
    while let leaf = next, found.count < count {
      let end = min(rows.count(ofLeaf: leaf), slot + Int(count) - found.count)
      for slot in slot..<end {
        let row = rows[leaf, slot]
        depth += row.step
        let parent = forest[row.node].parent
        found.append(Listed(node: row.node, parent: parent, depth: depth))
      }
      slot = 0
      next = rows.leaf(after: leaf)
    }
    return found
  }

  /// Returns the index of the first row that meets a condition; the count if none does.
  ///
  /// - Precondition: All rows after one that meets the condition meet it.
  /// - Complexity: O(log *n*) tests of the condition, each with a search of O(log *n*).
  func firstIndex(from start: Int32 = 0, where holds: (NodeID) -> Bool) -> Int32 {
    var low = start
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if holds(node(at: middle)) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// Inserts a row before the one at `index`.
  ///
  /// - Complexity: O(log *n*).
  mutating func insert(_ node: NodeID, depth: Int32, at index: Int32) {
    edits.append(.inserted(at: index))
    link(node, depth: depth, at: index)
  }

  private mutating func link(_ node: NodeID, depth: Int32, at index: Int32) {
    let before = index > 0 ? place(at: index - 1) : nil
    let depthBefore = before?.depth ?? 0
    changeStep(at: index, by: depthBefore - depth)
    let number = freeNumbers.popLast() ?? count
    rows.insert(
      Row(owner: number, node: node, step: depth - depthBefore),
      leaf: before?.leaf ?? rows.locate(0, in: root).leaf,
      slot: before.map { $0.slot + 1 } ?? 0,
      root: &root
    )
    numbers[node] = number
  }

  /// Removes a row.
  ///
  /// - Precondition: `index` is below the count.
  /// - Complexity: O(log *n*).
  mutating func remove(at index: Int32) {
    let place = place(at: index)
    edits.append(.removed(node(at: place), depth: place.depth, at: index))
    unlink(at: index)
  }

  /// Ends the transaction, so that it can no longer be rolled back.
  mutating func endTransaction() {
    if !edits.isEmpty { edits = [] }
  }

  /// Undoes the changes of the running transaction.
  ///
  /// - Complexity: O(changes · log *n*).
  mutating func rollBack() {
    for edit in edits.reversed() {
      switch edit {
      case .inserted(let index): unlink(at: index)
      case .removed(let node, let depth, let index): link(node, depth: depth, at: index)
      }
    }
    edits = []
  }

  private mutating func unlink(at index: Int32) {
    let (leaf, slot, _) = rows.locate(index, in: root)
    let row = rows[leaf, slot]
    changeStep(at: index + 1, by: row.step)
    rows.remove(leaf: leaf, slot: slot, root: &root)
    numbers[row.node] = nil
    freeNumbers.append(row.owner)
  }

  /// Changes the depth difference of the row at an index, if there is one.
  private mutating func changeStep(at index: Int32, by change: Int32) {
    guard change != 0, index < count else { return }
    let (leaf, slot, _) = rows.locate(index, in: root)
    rows[leaf, slot].step += change
    rows.refresh(changed: leaf)
  }

  /// Replaces node ids after a compaction, and gives the rows new numbers.
  ///
  /// - Complexity: O(*n*).
  mutating func renumber(_ new: NodeRenumbering) {
    var numbers = NodeTable<Int32>(minimumCapacity: self.numbers.count)
    root = rows.compact(root) { row in
      row.node = new.of(row.node)
      row.owner = Int32(numbers.count)
      numbers[row.node] = row.owner
    }
    (self.numbers, freeNumbers) = (numbers, [])
  }

  /// Recomputes what the sequence stores and compares; for tests.
  func checkInvariants(depth: (NodeID) -> Int32) {
    rows.checkInvariants(of: root)
    precondition(rows.summary(of: root).count == count, "rows and numbers differ")
    for (index, node) in nodes(from: 0, count: count).enumerated() {
      let place = place(of: node)
      precondition(place?.index == Int32(index), "a row does not know its place")
      precondition(place?.depth == depth(node), "a step is wrong")
    }
  }
}
