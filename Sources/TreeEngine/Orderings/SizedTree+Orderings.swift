// Adds, updates and removes orderings.
extension SizedTree {
  /// Adds an ordering of all nodes.
  ///
  /// A rollback of the transaction removes it.
  ///
  /// - Parameters:
  ///   - sorter: Sorts siblings.
  ///   - count: Counts the steps.
  /// - Returns: Its name.
  /// - Throws: The error of counting or sorting. Nothing was added then.
  /// - Complexity: O(*n*), and the cost of sorting.
  @specialized(where Width == Fanout<64>)
  public mutating func addOrdering(
    by sorter: any SiblingSorter<Width>,
    counting count: StepCounter
  ) throws(Interruption) -> OrderingID {
    let nodes = try orderedNodes(sorter, count)
    return add(Ordering(OrderingID(number: orderingCount), nodes))
  }

  mutating func add(_ ordering: Ordering<Width>) -> OrderingID {
    var ordering = ordering
    ordering.isNew = transaction != nil
    ordering.followedSteps = transaction?.inverses.count ?? 0
    orderingCount += 1
    orderings.append(ordering)
    return ordering.id
  }

  /// Updates an ordering after the changes of the running transaction.
  ///
  /// Must be called for each of ``orderingIDs``, before the rows of views are updated.
  ///
  /// - Parameters:
  ///   - id: The ordering.
  ///   - sorter: Sorts siblings, as it did when the ordering was added.
  ///   - count: Counts the steps.
  /// - Throws: The error of counting or sorting. The transaction must be rolled back then.
  /// - Complexity: O(*k* log² *n*) for *k* nodes made, updated, moved and removed; O(*n*) if they
  ///   are many.
  @specialized(where Width == Fanout<64>)
  public mutating func update(
    _ id: OrderingID,
    by sorter: any SiblingSorter<Width>,
    counting count: StepCounter
  ) throws(Interruption) {
    let place = place(of: id)
    guard let transaction else { preconditionFailure("no transaction is running") }
    let steps = transaction.inverses.count
    let followed = orderings[place].followedSteps
    orderings[place].followedSteps = steps
    try count((steps - followed) / 8)
    guard transaction.inverses[followed...].contains(where: \.changesNodes) else { return }
    guard followed == 0, !orderings[place].isNew else {
      return try rebuild(at: place, sorter, count)
    }
    var changes = DataChanges<Width>()
    changes.add(transaction, in: forest)
    var doubtful = transaction.moved
    for (node, before) in zip(transaction.readings.keys.nodes, transaction.readings.values)
    where forest.isAttached(node) && !sameBytes(before.object, forest[node].object) {
      doubtful.insert(node)
    }
    try follow(changes, doubting: doubtful.nodes, at: place, sorter, count)
  }

  /// The orderings.
  ///
  /// - Complexity: O(orderings).
  public var orderingIDs: [OrderingID] {
    @specialized(where Width == Fanout<64>)
    get { orderings.isEmpty ? [] : orderings.map(\.id) }
  }

  /// Removes the orderings that no view uses.
  ///
  /// - Returns: The orderings removed.
  /// - Precondition: no transaction is running.
  /// - Complexity: O(views with a filter or an order).
  @specialized(where Width == Fanout<64>)
  @discardableResult
  public mutating func removeUnusedOrderings() -> [OrderingID] {
    precondition(transaction == nil, "orderings go between transactions")
    if orderings.isEmpty { return [] }
    var used: Set<OrderingID> = []
    for slot in layered {
      if let id = watchers[slot].layering?.ordering { used.insert(id) }
    }
    let unused = orderings.lazy.map(\.id).filter { !used.contains($0) }
    let removed = Array(unused)
    if !removed.isEmpty { orderings.removeAll { !used.contains($0.id) } }
    return removed
  }

  func place(of id: OrderingID) -> Int {
    guard let place = orderings.firstIndex(where: { $0.id == id }) else {
      preconditionFailure("the ordering was removed")
    }
    return place
  }

  /// Returns the ordering with a name; nil for the order of the tree.
  func ordering(_ id: OrderingID?) -> Ordering<Width>? { id.map { orderings[place(of: $0)] } }

  /// Sorts all nodes of an ordering anew.
  private mutating func rebuild(
    at place: Int,
    _ sorter: any SiblingSorter<Width>,
    _ count: StepCounter
  ) throws(Interruption) {
    let nodes = try orderedNodes(sorter, count)
    orderings[place].replace(by: nodes)
  }

  /// Sorts all nodes.
  func orderedNodes(
    _ sorter: any SiblingSorter<Width>,
    _ count: StepCounter
  ) throws(Interruption) -> OrderedNodes<Width> {
    let run = try sortedRun(sorter, count)
    let records = forest.records.count
    return try Self.completing(count) { pass in OrderedNodes(run, of: records, passing: pass) }
  }

  /// Lists all nodes with their depths, in a pre-order in which siblings are sorted.
  private func sortedRun(
    _ sorter: any SiblingSorter<Width>,
    _ count: StepCounter
  ) throws(Interruption) -> [(node: NodeID, depth: Int32)] {
    // The children of all nodes; those of one node are adjacent.
    var starts = [Int32](repeating: 0, count: forest.records.count + 1)
    var nodes: [NodeID] = []
    nodes.reserveCapacity(forest.nodeCount)
    var next = forest.next(forest.place(at: 0))
    while let place = next {
      try countNodes(from: nodes.count, of: forest.nodeCount, count)
      let node = forest.node(at: place)
      nodes.append(node)
      starts[forest[node].parent.offset + 1] += 1
      next = forest.next(place)
    }
    try count(starts.count / Self.sumsPerStep)
    for index in starts.indices.dropFirst() { starts[index] += starts[index - 1] }
    var ends = starts
    var children = [NodeID](repeating: .forestRoot, count: nodes.count)
    for node in nodes {
      try count(1)
      let parent = forest[node].parent.offset
      children[Int(ends[parent])] = node
      ends[parent] += 1
    }
    for parent in [.forestRoot] + nodes {
      try count(1)
      guard forest[parent].childCount > 1 else { continue }
      let range = Int(starts[parent.offset])..<Int(ends[parent.offset])
      var siblings = Array(children[range])
      try sorter.sort(&siblings, of: parent, in: self)
      children.replaceSubrange(range, with: siblings)
    }
    return try preorder(children, starts, ends, count)
  }

  /// Counts the next nodes of a walk, in steps of some thousands.
  func countNodes(
    from index: Int,
    of end: Int,
    _ count: StepCounter
  ) throws(Interruption) {
    guard index % Self.nodesPerCount == 0 else { return }
    try count(min(Self.nodesPerCount, end - index))
  }

  private static var nodesPerCount: Int { 4_096 }
  /// The number of additions that are counted as one step.
  private static var sumsPerStep: Int { 64 }

  private func preorder(
    _ children: [NodeID],
    _ starts: [Int32],
    _ ends: [Int32],
    _ count: StepCounter
  ) throws(Interruption) -> [(node: NodeID, depth: Int32)] {
    var run: [(node: NodeID, depth: Int32)] = []
    run.reserveCapacity(children.count)
    // For each level, the next child and where the children end.
    var open = [(next: starts[0], end: ends[0])]
    while let (next, end) = open.last {
      guard next < end else {
        open.removeLast()
        continue
      }
      try countNodes(from: run.count, of: children.count, count)
      let node = children[Int(next)]
      open[open.count - 1].next += 1
      run.append((node, Int32(open.count - 1)))
      let (start, end) = (starts[node.offset], ends[node.offset])
      if start < end { open.append((start, end)) }
    }
    return run
  }
}
