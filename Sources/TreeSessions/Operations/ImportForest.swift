import TreeDomain
import TreeEngine

/// The imported nodes as a forest, with links from parents to children.
///
/// Lines name their parents by key. Parents come before children, and siblings keep the order of
/// their lines. Lines of different parents may be mixed. Nodes are numbered in the order of their
/// lines. The forest is built without the tree, so no lock is needed.
struct ImportForest {
  let nodes: Import
  /// The nodes that have no parent in the import.
  private(set) var roots: [Int32] = []

  /// The number of the first node of each part.
  private let starts: [Int32]
  // Linked lists of children: first and last child of each node, and the next sibling; -1 for none.
  private var firstChild: [Int32]
  private var lastChild: [Int32]
  private var nextSibling: [Int32]

  /// - Complexity: O(bytes) on average.
  init(
    _ nodes: Import,
    counting count: (Int) throws(ServiceError) -> Void
  ) throws(ServiceError) {
    self.nodes = nodes
    var start: Int32 = 0
    starts = nodes.parts.map { part in
      defer { start += Int32(part.nodes.count) }
      return start
    }
    firstChild = [Int32](repeating: -1, count: nodes.nodeCount)
    lastChild = firstChild
    nextSibling = firstChild
    try link(count)
  }

  /// Returns the part that contains a node, and its index there.
  ///
  /// - Complexity: O(log *p*) for *p* parts.
  func place(of number: Int32) -> (part: Int, index: Int) {
    var low = 0
    var high = starts.count
    while low + 1 < high {
      let middle = (low + high) / 2
      if starts[middle] <= number { low = middle } else { high = middle }
    }
    return (low, Int(number - starts[low]))
  }

  subscript(_ number: Int32) -> Import.ImportedNode {
    let (part, index) = place(of: number)
    return nodes.parts[part].nodes[index]
  }

  func key(of number: Int32) -> ArraySlice<UInt8> {
    let (part, index) = place(of: number)
    return nodes.parts[part][nodes.parts[part].nodes[index].key]
  }

  /// Finds the parent of each node among the nodes before it.
  private mutating func link(
    _ count: (Int) throws(ServiceError) -> Void
  ) throws(ServiceError) {
    var table = KeyTable()
    table.reserve(nodes.nodeCount)
    var number: Int32 = 0
    for part in nodes.parts {
      // The parent is often that of the line before.
      var last: (name: ArraySlice<UInt8>, parent: Int32?) = ([], nil)
      for node in part.nodes {
        try count(2)
        if case .parent(let slice) = node.above, part[slice] != last.name {
          last = (part[slice], find(part[slice], in: table))
        }
        if case .parent = node.above, let parent = last.parent {
          adopt(number, by: Int(parent))
        } else {
          roots.append(number)
        }
        let key = part[node.key].span
        let hash = KeyTable.hash(key)
        // A duplicate key is reported when the tree makes the node.
        if find(key, hash, in: table) == nil { table.insert(number, hash: hash) }
        number += 1
      }
    }
  }

  private func find(_ key: ArraySlice<UInt8>, in table: borrowing KeyTable) -> Int32? {
    find(key.span, KeyTable.hash(key.span), in: table)
  }

  private func find(_ key: Span<UInt8>, _ hash: UInt32, in table: borrowing KeyTable) -> Int32? {
    table.find(hash: hash) { number in
      let (part, index) = place(of: number)
      let slice = nodes.parts[part].nodes[index].key
      guard slice.count == key.count else { return false }
      for index in key.indices
      where key[index] != nodes.parts[part].bytes[slice.offset + index] { return false }
      return true
    }
  }

  private mutating func adopt(_ number: Int32, by parent: Int) {
    if lastChild[parent] < 0 {
      firstChild[parent] = number
    } else {
      nextSibling[Int(lastChild[parent])] = number
    }
    lastChild[parent] = number
  }

  /// Reorders the children of every node.
  ///
  /// - Complexity: O(nodes), besides that of `arrange`.
  mutating func arrangeChildren(
    _ arrange: ([Int32]) throws(ServiceError) -> [Int32]
  ) throws(ServiceError) {
    for parent in firstChild.indices where firstChild[parent] != lastChild[parent] {
      var children: [Int32] = []
      var next = firstChild[parent]
      while next >= 0 {
        children.append(next)
        next = nextSibling[Int(next)]
      }
      let arranged = try arrange(children)
      firstChild[parent] = -1
      lastChild[parent] = -1
      for child in arranged {
        nextSibling[Int(child)] = -1
        adopt(child, by: parent)
      }
    }
  }

  /// Returns the first node that would be deeper than a maximum, given the depths of roots; nil if
  /// there is none.
  ///
  /// - Complexity: O(nodes).
  func first(deeperThan most: Int, under tops: [(depth: Int, roots: [Int32])]) -> Int32? {
    var depths = [Int](repeating: 0, count: firstChild.count)
    for top in tops {
      for root in top.roots { depths[Int(root)] = top.depth }
    }
    // Parents come before their children.
    for number in depths.indices {
      if depths[number] > most { return Int32(number) }
      var child = firstChild[number]
      while child >= 0 {
        depths[Int(child)] = depths[number] + 1
        child = nextSibling[Int(child)]
      }
    }
    return nil
  }

  /// Returns the nodes made from some roots and their descendants, in pre-order, with relative
  /// depths.
  ///
  /// - Complexity: O(*m*) for *m* nodes.
  func run(
    of roots: ArraySlice<Int32>,
    _ made: [NodeID],
    counting count: (Int) throws(ServiceError) -> Void
  ) throws(ServiceError) -> [(node: NodeID, depth: Int32)] {
    var run: [(node: NodeID, depth: Int32)] = []
    let isAll = roots.count == self.roots.count
    run.reserveCapacity(isAll ? made.count : roots.count)
    for root in roots {
      var path = [root]
      while let number = path.last {
        try count(1)
        run.append((made[Int(number)], Int32(path.count - 1)))
        if firstChild[Int(number)] >= 0 {
          path.append(firstChild[Int(number)])
          continue
        }
        // Up to the first node with a next sibling. Siblings of the root belong to other runs.
        while let last = path.popLast(), !path.isEmpty {
          let next = nextSibling[Int(last)]
          guard next < 0 else {
            path.append(next)
            break
          }
        }
      }
    }
    return run
  }
}
