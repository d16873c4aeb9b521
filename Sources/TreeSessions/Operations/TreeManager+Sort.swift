import TreeDomain
import TreeEngine

// Sorting existing siblings, with as few moves as possible.
extension TreeManager {
  mutating func sort(
    _ target: SortTarget,
    by order: SortOrder,
    in batch: Batch
  ) throws(ServiceError) {
    switch target {
    case .everywhere: try sortEverything(by: order)
    case .roots(let name?): try sortChildren(of: section(named: batch[name]), by: order)
    case .roots(nil):
      for section in sections.all { try sortChildren(of: section.node, by: order) }
    case .children(let key): try sortChildren(of: find(batch[key]), by: order)
    }
  }

  /// Sorts the children of every node.
  ///
  /// - Throws: The errors of the meter, and `overloaded` if there is not enough memory.
  mutating func sortEverything(by order: SortOrder) throws(ServiceError) {
    var parents: [NodeID] = []
    try forEachNode { node throws(ServiceError) in
      if tree.childCount(of: node) > 1 { parents.append(node) }
      return true
    }
    for parent in parents {
      try sortChildren(of: parent, by: order)
      try checkMemory(isFreeing: false)
    }
  }

  /// The memory for sorting one sibling, including that for a rollback, in bytes.
  private static var bytesPerSortedChild: Int { 128 }

  private mutating func sortChildren(
    of parent: NodeID,
    by order: SortOrder
  ) throws(ServiceError) {
    // Sorted siblings stay as they are, because the sort is stable.
    guard tree.childCount(of: parent) > 1, !sorted.isSorted(parent, by: order) else { return }
    try checkRoom(bytes: tree.childCount(of: parent) * Self.bytesPerSortedChild)
    let children = try children(of: parent)
    var keys = SortKeys(order, capacity: children.count)
    for child in children {
      let subject = subject(child)
      try meter.count(order.steps(toRead: subject))
      keys.append(subject)
    }
    let places = try keys.sorted(counting: meter.count)
    let wanted = places.map { children[$0] }
    try counted { tree, count throws(Interruption) in
      try tree.arrange(children: wanted, of: parent, counting: count)
    }
    sortKeys.forgetSiblings(under: parent)
    sorted.know(parent, by: order)
  }
}
