import TreeDomain
import TreeEngine

// The nodes that a batch gives.
extension Batch {
  /// Returns a subtree in pre-order, with the children of every node sorted.
  ///
  /// The sort is stable.
  ///
  /// - Throws: The errors of the meter.
  /// - Complexity: O(*n* log *n*).
  func sorted(
    _ range: Range<Int>,
    by sort: SortOrder,
    counting meter: WorkMeter
  ) throws(ServiceError) -> [NewNode] {
    guard range.count > 1 else { return Array(nodes[range]) }
    var result: [NewNode] = []
    result.reserveCapacity(range.count)
    let children = childLists(range)
    var pending = [range.lowerBound]
    while let next = pending.popLast() {
      result.append(nodes[next])
      guard let below = children[next], !below.isEmpty else { continue }
      pending += try sorted(below, by: sort, counting: meter).reversed()
    }
    return result
  }

  /// Returns some given nodes, sorted.
  ///
  /// The sort is stable.
  ///
  /// - Throws: The errors of the meter.
  /// - Complexity: O(*n* log *n*).
  func sorted(
    _ given: [Int],
    by sort: SortOrder,
    counting meter: WorkMeter
  ) throws(ServiceError) -> [Int] {
    guard given.count > 1 else { return given }
    var keys = SortKeys(sort, capacity: given.count)
    for node in given {
      let new = nodes[node]
      let subject = SortOrder.Subject(key: self[new.key], object: self[new.object])
      try meter.count(sort.steps(toRead: subject))
      keys.append(subject)
    }
    return try keys.sorted(counting: meter.count).map { given[$0] }
  }

  /// Returns the children of each inner node of a subtree, as indexes into ``nodes``.
  ///
  /// - Complexity: O(*m*) for *m* nodes.
  func childLists(_ range: Range<Int>) -> [Int: [Int]] {
    var lists: [Int: [Int]] = [:]
    var path: [Int] = []
    for node in range {
      path.removeLast(path.count - nodes[node].depth)
      if let parent = path.last { lists[parent, default: []].append(node) }
      path.append(node)
    }
    return lists
  }

  /// Returns the ranges of a list in pre-order that begin with a node of depth 0.
  func roots(in range: Range<Int>) -> [Range<Int>] {
    let starts = range.filter { nodes[$0].depth == 0 }
    return zip(starts, starts.dropFirst() + [range.upperBound]).map { $0..<$1 }
  }

  /// Returns the ranges of roots that can be inserted together.
  ///
  /// These are adjacent roots of one section. If siblings are sorted, each root has its own range.
  func rootRuns(isSorted: Bool) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    for root in roots(in: nodes.indices) {
      if !isSorted, let last = runs.last,
        rootSections[root.lowerBound].map({ self[$0] })
          == rootSections[last.lowerBound].map({ self[$0] })
      {
        runs[runs.count - 1] = last.lowerBound..<root.upperBound
      } else {
        runs.append(root)
      }
    }
    return runs
  }

  /// Returns the size of the keys and objects of some nodes in bytes.
  func byteCount(of nodes: Range<Int>) -> Int {
    var count = 0
    for node in nodes {
      count += self.nodes[node].key.count + self.nodes[node].object.count
    }
    return count
  }
}
