import TestSupport
import TreeEngine

extension EnginePair {
  mutating func setFilter(_ filter: String?, in view: Int) {
    tree.setFilter(filter != nil, in: ids[view])
    naive.setFilter(filter, in: view)
  }

  mutating func setOrder(_ order: ViewOrder, in view: Int) {
    tree.setOrder(order, in: ids[view])
    if naive.views[view].layer.order != order { naive.views[view].layer.reorderings += 1 }
    naive.views[view].layer.order = order
  }

  mutating func setSort(_ sort: NaiveSort?, in view: Int) {
    tree.setOrdering(sort.map { ordering($0) }, in: ids[view])
    if naive.views[view].layer.sort != sort { naive.views[view].layer.reorderings += 1 }
    naive.views[view].layer.sort = sort
  }

  /// The ordering that is there, if it is known.
  func knownOrdering(_ sort: NaiveSort) -> OrderingID? {
    orderings[sort].flatMap { tree.orderingIDs.contains($0) ? $0 : nil }
  }

  /// Returns an ordering, added now if it is not there.
  private mutating func ordering(_ sort: NaiveSort) -> OrderingID {
    if let known = knownOrdering(sort) { return known }
    let added = tree.addOrdering(by: NaiveSorter(sort) { _ in })
    orderings[sort] = added
    return added
  }

  /// Replaces the tree by one that was read from its image.
  ///
  /// An image has no orderings, so the views that have one are sorted again.
  mutating func replaceTree(by image: consuming SizedTree<Width>) {
    tree = image
    orderings = [:]
    for (view, id) in ids.enumerated() {
      guard let sort = naive.views[view].layer.sort else { continue }
      tree.restoreOrdering(ordering(sort), in: id)
    }
  }

  mutating func setUnfilteredRule(_ rule: ExpansionRule, in view: Int) {
    tree.setUnfilteredRule(rule, in: ids[view])
    if naive.views[view].layer.aside != nil {
      naive.views[view].layer.aside = (rule, [])
    } else {
      naive.views[view].rule = rule
      naive.views[view].toggled = []
    }
  }

  /// Updates all views. Only reads may follow in the transaction.
  mutating func updateRows() {
    do throws(Interruption) {
      try updateRows { _ in }
    } catch {
      preconditionFailure("nothing stopped the work")
    }
  }

  /// Updates views until counting throws.
  mutating func updateRows(counting count: (Int) throws(Interruption) -> Void) throws(Interruption) {
    try withoutActuallyEscaping(count) { count throws(Interruption) in
      for (sort, id) in orderings where tree.orderingIDs.contains(id) {
        try tree.update(id, by: NaiveSorter(sort, counting: count), counting: count)
      }
    }
    for (view, id) in ids.enumerated() {
      let filter = naive.views[view].layer.filter ?? ""
      try tree.updateRows(id, counting: count) { tree, node in
        String(decoding: tree.object(of: node), as: UTF8.self).contains(filter)
      }
    }
  }

  /// Applies one random change to the filter or order of a view.
  mutating func randomLayerOperation(_ random: inout SeededGenerator) -> String {
    let view = random.number(in: 0...(ids.count - 1))
    switch random.number(in: 0...8) {
    case 0:
      setFilter(nil, in: view)
      return "no filter in \(view)"
    case 1, 2, 3:
      let filter = random.choice(["1", "2", "3", "9"])
      setFilter(filter, in: view)
      return "filter \(filter) in \(view)"
    case 4:
      let rule = random.choice([ExpansionRule.all, .none, .levels(1), .levels(2)])
      setUnfilteredRule(rule, in: view)
      return "rule \(rule) aside in \(view)"
    case 5, 6:
      let sort = random.choice([nil] + NaiveSort.allCases)
      setSort(sort, in: view)
      return "sort \(sort?.name ?? "nothing") in \(view)"
    default:
      let order = random.choice([ViewOrder.depthFirst, .breadthFirst])
      setOrder(order, in: view)
      return "\(order) in \(view)"
    }
  }
}
