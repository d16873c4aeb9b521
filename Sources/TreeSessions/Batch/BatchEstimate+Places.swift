import TreeDomain
import TreeEngine

// What it costs to find places by an order.
extension BatchEstimate {
  /// What the places cost that an operation asks for.
  ///
  /// Siblings that are known to be sorted are halved, which is in what each node costs already; all
  /// others are read one by one.
  mutating func addPlaces(
    of operation: Operation,
    _ batch: Batch,
    _ manager: borrowing TreeManager
  ) {
    let place: Place
    switch operation {
    case .insert(_, _, _, let asked), .put(_, _, _, let asked, _), .move(_, _, _, let asked):
      place = asked
    // What reads differently now may go elsewhere in the order of the tree.
    case .update: place = .default
    case .setChildren, .sort, .removeSection: return forgetsOrder = true
    default: return
    }
    guard let order = manager.order(of: place, in: batch) else { return forgetsOrder = true }
    guard let siblings = siblings(operation, batch, manager),
      forgetsOrder || !manager.sorted.isSorted(siblings, by: order)
    else { return }
    let nodes = if case .move(let keys, _, _, _) = operation { keys.count } else { 1 }
    steps += nodes * manager.reading(childrenOf: siblings)
  }

  /// The node under which an operation puts something; nil where the batch makes it.
  private func siblings(
    _ operation: Operation,
    _ batch: Batch,
    _ manager: borrowing TreeManager
  ) -> NodeID? {
    switch operation {
    case .insert(_, let parent?, _, _), .put(_, .node(let parent), _, _, _),
      .move(_, let parent?, _, _):
      return node(batch[parent], manager)
    case .insert(_, nil, let section?, _), .put(_, _, let section?, _, _),
      .move(_, nil, let section?, _):
      return manager.namedSections[Array(batch[section])]
    case .put(let nodes, .absent, nil, _, _):
      let present = node(batch[batch.nodes[nodes.offset].key], manager)
      return present.map { manager.tree.parent(of: $0) } ?? manager.firstSection
    case .move(let keys, nil, nil, _):
      let first = batch.keys[keys.range].first.flatMap { node(batch[$0], manager) }
      return first.map { manager.sections.all[manager.sectionIndex(of: $0)].node }
    case .update(let key, _): return node(batch[key], manager).map { manager.tree.parent(of: $0) }
    default: return manager.firstSection
    }
  }

  /// What it costs to sort siblings that are there.
  func sorting(
    _ target: SortTarget,
    by order: SortOrder,
    _ batch: Batch,
    _ manager: borrowing TreeManager
  ) -> Int {
    switch target {
    case .children(let key):
      node(batch[key], manager).map {
        60 * manager.tree.childCount(of: $0)
          + order.descriptors.count * manager.reading(childrenOf: $0)
      } ?? 0
    case .roots(let name?):
      60 * section(batch[name], manager)
        + order.descriptors.count * manager.tree.byteCount / 64
    case .roots(nil), .everywhere: manager.sorting(by: order)
    }
  }
}

extension TreeManager {
  /// What it costs to read what the children of a node are sorted by; no more than just too much
  /// where there is no time for it.
  func reading(childrenOf parent: NodeID) -> Int {
    let most = budget?.steps ?? .max
    var steps = 0
    tree.forEachChild(of: parent) { child in
      steps += 5 + tree.object(of: child).count / 64
      return steps <= most
    }
    return steps
  }
}
