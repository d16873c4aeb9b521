// The rules by which nodes are expanded.
extension SizedTree {
  /// Sets the rule of a view, and discards its toggles.
  ///
  /// - Parameters:
  ///   - rule: The rule.
  ///   - exceptions: The nodes that differ from it. None may be a leaf.
  ///   - id: The view.
  ///   - count: Counts the steps.
  /// - Throws: The error that `count` throws. The transaction must be rolled back then.
  /// - Complexity: O(*r* log *n*), where *r* is the smaller of the row counts before and after, and
  ///   O(rows listed). O(*n*) if the tree has a node whose children are not loaded
  ///   (``hasUnloaded``).
  @specialized(where Width == Fanout<64>)
  public mutating func setRule(
    _ rule: ExpansionRule,
    toggling exceptions: [NodeID] = [],
    in id: ViewID,
    counting count: StepCounter
  ) throws(Interruption) {
    let slot = slot(of: id)
    let old = watchers[slot].view
    try count(stepsToMake(rule, exceptions) + old.toggles.count)
    if old.rule == rule, old.toggledNodes == Set(exceptions) { return }
    record(.rule(old, view: slot))
    let new = makeView(rule, toggling: exceptions)
    do throws(Interruption) {
      try recordReplacement(of: old, by: new, at: slot, count)
      try recordExpandedUnloaded(old, new, at: slot, count)
    } catch {
      indexes.release(for: rule)
      throw error
    }
    if watchers[slot].viewBefore == nil { watchers[slot].viewBefore = old }
    watchers[slot].isTouched = true
    watchers[slot].view = new
    indexes.release(for: old.rule)
  }

  /// The number of different rules of levels among the views.
  ///
  /// Each has an index of O(*n* / fan-out), which every change of the nodes updates.
  ///
  /// - Complexity: O(1).
  public var levelRuleCount: Int {
    @specialized(where Width == Fanout<64>)
    get { indexes.count }
  }

  /// Returns true if a view can get a rule without a new index.
  ///
  /// - Complexity: O(rules of levels).
  @specialized(where Width == Fanout<64>)
  public func isIndexed(_ rule: ExpansionRule) -> Bool { indexes.hasIndex(for: rule) }

  /// True if the tree has a node whose children are `unloaded` or `failed`.
  ///
  /// - Complexity: O(1).
  public var hasUnloaded: Bool {
    @specialized(where Width == Fanout<64>)
    get { unloadedCount > 0 }
  }

  /// Returns the number of steps that making a view takes.
  func stepsToMake(_ rule: ExpansionRule, _ exceptions: [NodeID]) -> Int {
    let indexed = indexes.hasIndex(for: rule) ? 0 : nodeCount / Self.nodesIndexedPerStep
    return 1 + indexed + exceptions.count * Self.toggleSteps
  }

  /// The number of nodes for which one step is counted when a level index is made.
  private static var nodesIndexedPerStep: Int { 16 }

  /// Makes a view, and retains its level index.
  mutating func makeView(_ rule: ExpansionRule, toggling exceptions: [NodeID] = []) -> View<Width> {
    indexes.retain(for: rule, of: forest)
    var view = View(rule: rule, of: forest, indexes)
    for node in exceptions { view.toggle(node, in: forest, indexes) }
    return view
  }

  /// Records the difference between two views of the same forest.
  ///
  /// It reads the rows of the view that has fewer rows.
  private mutating func recordReplacement(
    of old: View<Width>,
    by new: View<Width>,
    at slot: Int,
    _ count: StepCounter
  ) throws(Interruption) {
    guard let listLimit = transaction?.listLimit else { return }
    // The rows that are in both, as runs: each row before with its row after.
    let fewer = old.rowCount <= new.rowCount ? old : new
    var shared: [(old: Int32, new: Int32)] = []
    var next: Forest<Width>.Place? =
      fewer.rowCount == 0 ? nil : fewer.place(atRow: 0, in: forest, indexes)
    while let place = next {
      try count(Self.rowSearchSteps)
      if let before = old.row(at: place.position, depth: place.depth, in: forest, indexes),
        let after = new.row(at: place.position, depth: place.depth, in: forest, indexes)
      {
        shared.append((before, after))
      }
      next = fewer.nextRow(after: place, in: forest)
    }
    shared.append((old.rowCount, new.rowCount))
    var last: (old: Int32, new: Int32) = (-1, -1)
    for (before, after) in shared {
      let gone = before - last.old - 1
      let come = after - last.new - 1
      try count(1)
      if gone > 0 {
        let isListed = Int(gone) <= watchers[slot].listLimit(listLimit)
        if isListed { try count(Int(gone)) }
        let first = old.place(atRow: last.old + 1, in: forest, indexes)
        let rows = isListed ? old.listedRows(from: first, count: gone, in: forest) : nil
        transaction?.recordListed(rows?.count ?? 0)
        recordRows(
          inViewAt: slot,
          RowSplice(listed: rows, row: last.new + 1, count: gone, isDeletion: true)
        )
      }
      let coming = RowSplice<Width>(row: last.new + 1, count: come, isDeletion: false)
      recordRows(inViewAt: slot, coming)
      last = (before, after)
    }
  }

  /// The number of steps that are counted for finding a node among the rows of two views.
  private static var rowSearchSteps: Int { 8 }

  /// Records the nodes without loaded children that a change of rule expanded.
  private mutating func recordExpandedUnloaded(
    _ old: View<Width>,
    _ new: View<Width>,
    at slot: Int,
    _ count: StepCounter
  ) throws(Interruption) {
    guard hasUnloaded else { return }
    var next: Forest<Width>.Place? = forest.next(forest.place(at: 0))
    while let place = next {
      try count(1)
      let node = forest.node(at: place)
      if isUnloaded(node), new.isExpanded(node, depth: place.depth),
        !old.isExpanded(node, depth: place.depth)
      {
        watchers[slot].expandedUnloaded.append(node)
      }
      next = forest.next(place)
    }
  }
}
