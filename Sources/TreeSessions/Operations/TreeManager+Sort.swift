import TreeDomain
import TreeEngine

// Sorting siblings that are there; as few as possible move.
extension TreeManager {
  mutating func sort(
    _ target: SortTarget,
    by order: SortOrder,
    in batch: Batch
  ) throws(ServiceError) {
    switch target {
    case .everywhere: sortEverything(by: order)
    case .roots(let name?): sortChildren(of: try section(named: batch[name]), by: order)
    case .roots(nil): for section in sections.all { sortChildren(of: section.node, by: order) }
    case .children(let key): sortChildren(of: try find(batch[key]), by: order)
    }
  }

  /// Sorts the children of every node.
  mutating func sortEverything(by order: SortOrder) {
    var parents: [NodeID] = []
    tree.forEachNode { node in
      if tree.childCount(of: node) > 1 { parents.append(node) }
      return true
    }
    for parent in parents { sortChildren(of: parent, by: order) }
  }

  private mutating func sortChildren(of parent: NodeID, by order: SortOrder) {
    guard tree.childCount(of: parent) > 1 else { return }
    let children = children(of: parent)
    var keys = SortKeys(order, capacity: children.count)
    for child in children { keys.append(subject(child)) }
    tree.arrange(children: keys.sorted().map { children[$0] }, of: parent)
    sorted.forget(parent)
    sorted.know(parent, by: order)
  }
}
