import TreeEngine

extension NaiveTree {
  /// The filter and the order of a view.
  struct Layer {
    var order = ViewOrder.depthFirst
    /// The order of siblings; nil for that of the tree.
    var sort: NaiveSort?
    /// The number of changes of the order.
    var reorderings = 0
    /// The text that matching objects contain; nil without a filter.
    var filter: String?
    /// The expansion without the filter.
    var aside: (rule: ExpansionRule, toggled: Set<Int>)?

    var summary: String {
      guard let filter, let aside else { return "\(order) \(sort?.name ?? "")" }
      return "\(order) \(sort?.name ?? "") \(filter) aside \(aside.rule) \(aside.toggled.sorted())"
    }
  }

  /// The number of changes of each view's order.
  var reorderings: [Int] { views.map(\.layer.reorderings) }

  /// Returns the rows in the order of the view.
  func rows(in view: Int) -> [Node] {
    let rows = rows(below: root, in: view)
    guard views[view].layer.order == .breadthFirst else { return rows }
    return children(of: root, in: view).flatMap { top in
      let below = rows.filter { $0.isAtOrBelow(top) }
      return (0...(below.map(\.depth).max() ?? 0)).flatMap { depth in
        below.filter { $0.depth == depth }
      }
    }
  }

  /// Returns the children of a node in the order of the view.
  func children(of parent: Node, in view: Int) -> [Node] {
    guard let sort = views[view].layer.sort else { return parent.children }
    let keys = parent.children.map { sort.key(of: $0.object) }
    return parent.children.indices.sorted { (keys[$0], $0) < (keys[$1], $1) }
      .map { parent.children[$0] }
  }

  /// The serials of nodes that may move by themselves in a view.
  func movers(in view: Int) -> Set<Int> {
    views[view].layer.sort == nil ? moved : moved.union(updated)
  }

  func isMatched(_ node: Node, in view: Int) -> Bool? {
    views[view].layer.filter.map { node.object.contains($0) }
  }

  /// Returns true if a filter shows a node whose ancestors are all expanded.
  func isLetThrough(_ node: Node, in view: Int) -> Bool {
    guard views[view].layer.filter != nil, node.parent !== root else { return true }
    return node.subtree.contains { isMatched($0, in: view) == true }
  }

  /// Returns the siblings that a row counts: under a filter, a row counts only rows.
  func countedSiblings(of node: Node, isRow: Bool, in view: Int) -> [Node] {
    let siblings = node.parent.map { children(of: $0, in: view) } ?? []
    return isRow ? siblings.filter { isLetThrough($0, in: view) } : siblings
  }

  func setFilter(_ filter: String?, in view: Int) {
    var changed = views[view]
    if filter != nil {
      changed.layer.aside = changed.layer.aside ?? (changed.rule, changed.toggled)
      changed.rule = .all
      changed.toggled = []
    } else if let aside = changed.layer.aside {
      changed.layer.aside = nil
      changed.rule = aside.rule
      changed.toggled = aside.toggled
    }
    changed.layer.filter = filter
    views[view] = changed
  }
}

/// Orders of siblings by their objects.
enum NaiveSort: CaseIterable {
  case ascending, descending, few

  var name: String { "\(self)" }

  /// Siblings with the same key keep the order of the tree.
  func key(of object: String) -> Int {
    let number = object.utf8.reduce(0) { 31 * $0 + Int($1) }
    switch self {
    case .ascending: return number
    case .descending: return -number
    case .few: return number % 2
    }
  }
}

/// Sorts the nodes of an engine as the naive tree does.
final class NaiveSorter<Width: NodeWidth>: SiblingSorter {
  let sort: NaiveSort
  /// Called at each question.
  let count: (Int) throws(Interruption) -> Void

  init(_ sort: NaiveSort, counting count: @escaping (Int) throws(Interruption) -> Void) {
    self.sort = sort
    self.count = count
  }

  private func key(of node: NodeID, in tree: borrowing SizedTree<Width>) -> Int {
    let object = tree.object(of: node)
    return sort.key(of: object.isEmpty ? "null" : String(decoding: object, as: UTF8.self))
  }

  func sort(
    _ children: inout [NodeID],
    of parent: NodeID,
    in tree: borrowing SizedTree<Width>
  ) throws(Interruption) {
    try count(children.count)
    let keys = children.map { key(of: $0, in: tree) }
    children = children.indices.sorted { (keys[$0], $0) < (keys[$1], $1) }.map { children[$0] }
  }

  func compare(
    _ left: NodeID,
    _ right: NodeID,
    in tree: borrowing SizedTree<Width>
  ) throws(Interruption) -> Int {
    try count(1)
    return key(of: left, in: tree) - key(of: right, in: tree)
  }
}
