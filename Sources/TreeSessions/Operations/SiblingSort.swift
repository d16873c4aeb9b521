import TreeDomain
import TreeEngine

/// The sorting of existing siblings, with as few moves as possible.
struct SiblingSort {
  private let order: SortOrder

  init(by order: SortOrder) { self.order = order }

  /// Sorts the children that an operation names.
  ///
  /// - Throws: The reason to refuse it.
  func apply(
    to target: SortTarget,
    of batch: Batch,
    in content: inout TreeContent
  ) throws(ServiceError) {
    switch target {
    case .everywhere: try sortEverything(in: &content)
    case .roots(let name?):
      try sortChildren(of: content.section(named: batch[name]), in: &content)
    case .roots(nil):
      for section in content.sections.all { try sortChildren(of: section.node, in: &content) }
    case .children(let key): try sortChildren(of: content.find(batch[key]), in: &content)
    }
  }

  /// Sorts the children of every node.
  ///
  /// - Throws: The errors of the meter, and `overloaded` if there is not enough memory.
  func sortEverything(in content: inout TreeContent) throws(ServiceError) {
    for parent in try parents(in: content) {
      try sortChildren(of: parent, in: &content)
      try content.checkMemory(isFreeing: false)
    }
  }

  /// Returns the nodes with several children.
  private func parents(in content: borrowing TreeContent) throws(ServiceError) -> [NodeID] {
    var parents: [NodeID] = []
    try content.tree.forEachNode(counting: content.meter) { node throws(ServiceError) in
      if content.tree.childCount(of: node) > 1 { parents.append(node) }
      return true
    }
    return parents
  }

  /// The memory for sorting one sibling, including that for a rollback, in bytes.
  private static var bytesPerSortedChild: Int { 128 }

  private func sortChildren(
    of parent: NodeID,
    in content: inout TreeContent
  ) throws(ServiceError) {
    let count = content.tree.childCount(of: parent)
    // Sorted siblings stay as they are, because the sort is stable.
    guard count > 1, !content.siblings.isSorted(parent, by: order) else { return }
    try content.checkRoom(bytes: count * Self.bytesPerSortedChild)
    let meter = content.meter
    let children = try content.tree.children(of: parent, counting: meter)
    var keys = SortKeys(order, capacity: children.count)
    for child in children {
      let subject = SortOrder.Subject(of: child, in: content.tree)
      try meter.count(order.steps(toRead: subject))
      keys.append(subject)
    }
    let places = try keys.sorted(counting: meter.count)
    let wanted = places.map { children[$0] }
    try content.counted { tree, count throws(Interruption) in
      try tree.arrange(children: wanted, of: parent, counting: count)
    }
    content.siblings.recordSorted(parent, by: order)
  }
}
