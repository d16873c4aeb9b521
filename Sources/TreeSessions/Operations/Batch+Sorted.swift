import TreeDomain
import TreeEngine

extension Batch {
  /// A subtree in pre-order with the children of every node sorted, equal ones as they came.
  ///
  /// - Complexity: O(*n* log *n*).
  func sorted(_ range: Range<Int>, by order: SortOrder) -> [NewNode] {
    guard range.count > 1 else { return Array(nodes[range]) }
    var result: [NewNode] = []
    result.reserveCapacity(range.count)
    let children = childLists(range)
    var pending = [range.lowerBound]
    while let next = pending.popLast() {
      result.append(nodes[next])
      guard let below = children[next], !below.isEmpty else { continue }
      pending += sorted(below, by: order).reversed()
    }
    return result
  }

  /// Some of the nodes in order, equal ones as they came.
  ///
  /// - Complexity: O(*n* log *n*).
  func sorted(_ given: [Int], by order: SortOrder) -> [Int] {
    var keys = SortKeys(order, capacity: given.count)
    for node in given {
      keys.append(SortOrder.Subject(key: self[nodes[node].key], object: self[nodes[node].object]))
    }
    return keys.sorted().map { given[$0] }
  }

  /// The children of each node that has some, in a list in pre-order.
  ///
  /// - Complexity: O(*m*).
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
