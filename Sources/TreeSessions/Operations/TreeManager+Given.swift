import TreeDomain
import TreeEngine

extension TreeManager {
  /// Returns a subtree in pre-order, with the children of every node sorted by the order of the
  /// tree.
  ///
  /// The sort is stable.
  ///
  /// - Throws: The errors of the meter.
  /// - Complexity: O(*n* log *n*).
  func sorted(_ range: Range<Int>, of batch: Batch) throws(ServiceError) -> [NewNode] {
    let nodes = batch.nodes
    guard range.count > 1 else { return Array(nodes[range]) }
    var result: [NewNode] = []
    result.reserveCapacity(range.count)
    let children = batch.childLists(range)
    var pending = [range.lowerBound]
    while let next = pending.popLast() {
      result.append(nodes[next])
      guard let below = children[next], !below.isEmpty else { continue }
      pending += try sorted(below, of: batch).reversed()
    }
    return result
  }

  /// Returns some given nodes, sorted by the order of the tree.
  ///
  /// The sort is stable.
  ///
  /// - Throws: The errors of the meter.
  /// - Complexity: O(*n* log *n*).
  func sorted(_ given: [Int], of batch: Batch) throws(ServiceError) -> [Int] {
    guard given.count > 1 else { return given }
    var keys = SortKeys(sort, capacity: given.count)
    for node in given {
      let new = batch.nodes[node]
      let subject = SortOrder.Subject(key: batch[new.key], object: batch[new.object])
      try meter.count(sort.steps(toRead: subject))
      keys.append(subject)
    }
    return try keys.sorted(counting: meter.count).map { given[$0] }
  }
}

extension Batch {
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
}
