extension TreeEditor {
  /// Expands a node.
  mutating func expand(_ node: NodeID, in id: ViewID) {
    guard base.forest[node].childState != .leaf, !base.isExpanded(node, in: id) else { return }
    toggle(node, in: id)
  }

  /// Collapses a node.
  mutating func collapse(_ node: NodeID, in id: ViewID) {
    if base.isExpanded(node, in: id) { toggle(node, in: id) }
  }

  /// Returns the nodes on `levels` levels, from a node on, that are collapsed and can be expanded.
  func collapsedNodes(
    from node: NodeID,
    levels: Int,
    in id: ViewID,
    counting count: StepCounter
  ) throws(Interruption) -> [NodeID] {
    try nodes(below: node, levels: levels, expanded: false, in: id, count)
  }

  /// Expands collapsed nodes.
  mutating func expand(
    _ nodes: [NodeID],
    in id: ViewID,
    counting count: StepCounter
  ) throws(Interruption) {
    // From the inside out, so that the rows come in one piece.
    for node in nodes.reversed() {
      try count(Self.toggleSteps)
      toggle(node, in: id)
    }
  }

  /// The number of steps that are counted for a toggle.
  static var toggleSteps: Int { 16 }

  /// Collapses a node, and its descendants within `levels` levels.
  mutating func collapse(
    _ node: NodeID,
    levels: Int,
    in id: ViewID,
    counting count: StepCounter
  ) throws(Interruption) {
    for node in try nodes(below: node, levels: levels, expanded: true, in: id, count) {
      try count(Self.toggleSteps)
      toggle(node, in: id)
    }
  }

  /// Expands a root that was just made: in each view whatever its rule, and in each expansion that
  /// a filter keeps aside.
  mutating func expandInAllViews(_ node: NodeID) {
    for slot in base.watchers.indices where !base.watchers[slot].view.isVacant {
      expand(node, in: ViewID(slot: slot))
      expandAside(node, at: slot)
    }
  }

  /// Returns the expanded nodes on `levels` levels, or those that are collapsed but can be
  /// expanded.
  ///
  /// The first level is the node itself. `expanded` selects the expanded nodes. The result is in
  /// pre-order.
  private func nodes(
    below node: NodeID,
    levels: Int,
    expanded: Bool,
    in id: ViewID,
    _ count: StepCounter
  ) throws(Interruption) -> [NodeID] {
    let top = base.forest.place(of: node)
    let slot = base.slot(of: id)
    func isWanted(_ node: NodeID, _ depth: Int32) -> Bool {
      base.forest[node].childState != .leaf
        && base.watchers[slot].view.isExpanded(node, depth: depth) == expanded
    }
    if levels == 1 { return isWanted(node, top.depth) ? [node] : [] }
    let end = base.forest.subtreeEnd(top)
    if expanded, !base.watchers[slot].view.rule.expands(atDepth: top.depth) {
      try count(min(base.watchers[slot].view.toggles.count, Int(end - top.position)))
      return base.watchers[slot].view.toggledNodes(top.position..<end).filter { node in
        let depth = base.forest.place(of: node).depth
        return Int(depth - top.depth) < levels && isWanted(node, depth)
      }
    }
    var found: [NodeID] = []
    var next: Forest<Width>.Place? = top
    while let place = next, place.position < end {
      try count(1)
      let node = base.forest.node(at: place)
      if isWanted(node, place.depth) { found.append(node) }
      let goesOn = Int(place.depth - top.depth) < levels - 1
      next = goesOn ? base.forest.next(place) : base.forest.afterSubtree(place)
    }
    return found
  }

  /// Toggles a node, which must not be a leaf.
  mutating func toggle(_ node: NodeID, in id: ViewID) {
    let slot = base.slot(of: id)
    let place = base.forest.place(of: node)
    base.watchers[slot].touchToggle(of: node)
    base.watchers[slot].isTouched = true
    record(.toggled(node, view: slot))
    let wasExpanded = base.watchers[slot].view.isExpanded(node, depth: place.depth)
    if wasExpanded { recordInside(place, deleting: true, inViewAt: slot) }
    base.watchers[slot].view.toggle(node, in: base.forest, base.indexes)
    if !wasExpanded {
      recordInside(place, deleting: false, inViewAt: slot)
      base.watchers[slot].expanded.append(node)
    }
  }

  /// Records that the rows below a node are inserted or deleted, because it is expanded or
  /// collapsed.
  private mutating func recordInside(
    _ place: Forest<Width>.Place,
    deleting: Bool,
    inViewAt slot: Int
  ) {
    guard let listLimit = transaction?.listLimit,
      base.forest[base.forest.node(at: place)].childCount > 0,
      let row = base.watchers[slot].view.row(
        at: place.position,
        depth: place.depth,
        in: base.forest,
        base.indexes
      )
    else { return }
    let count = base.watchers[slot].view.entries(
      covered: 0,
      from: place.position + 1,
      to: base.forest.subtreeEnd(place),
      in: base.forest,
      base.indexes
    )
    guard deleting else {
      recordRows(inViewAt: slot, RowSplice(row: row + 1, count: count, isDeletion: false))
      return
    }
    guard Int(count) <= base.watchers[slot].listLimit(listLimit),
      let first = base.forest.next(place)
    else {
      recordRows(inViewAt: slot, RowSplice(row: row + 1, count: count, isDeletion: true))
      return
    }
    var lists = SharedLists<Width>(first: first, count: count)
    recordDeletion(of: (row + 1)..<(row + 1 + count), &lists, inViewAt: slot)
  }

  /// Expands all ancestors of nodes, so that the nodes become rows.
  mutating func reveal(
    _ nodes: [NodeID],
    in id: ViewID,
    counting count: StepCounter
  ) throws(Interruption) {
    let slot = base.slot(of: id)
    for node in nodes {
      try count(1)
      var place = base.forest.place(of: node)
      while let above = base.watchers[slot].view.nearestCollapsed(above: place, in: base.forest) {
        try count(Self.toggleSteps)
        toggle(base.forest.node(at: above), in: id)
        place = above
      }
    }
  }

  // MARK: Rules

  /// Sets the rule of a view, and discards its toggles.
  mutating func setRule(
    _ rule: ExpansionRule,
    toggling exceptions: [NodeID] = [],
    in id: ViewID,
    counting count: StepCounter
  ) throws(Interruption) {
    let slot = base.slot(of: id)
    let old = base.watchers[slot].view
    try count(stepsToMake(rule, exceptions) + old.toggles.count)
    if old.rule == rule, old.toggledNodes == Set(exceptions) { return }
    record(.rule(old, view: slot))
    let new = base.makeView(rule, toggling: exceptions)
    do throws(Interruption) {
      if base.watchers[slot].layering?.replaced == nil {
        try recordReplacement(of: old, by: new, at: slot, count)
      }
      try recordExpandedUnloaded(old, new, at: slot, count)
    } catch {
      base.indexes.release(for: rule)
      throw error
    }
    if base.watchers[slot].viewBefore == nil { base.watchers[slot].viewBefore = old }
    base.watchers[slot].isTouched = true
    base.watchers[slot].view = new
    base.indexes.release(for: old.rule)
  }

  /// Returns the number of steps that making a view takes.
  func stepsToMake(_ rule: ExpansionRule, _ exceptions: [NodeID]) -> Int {
    let indexed =
      base.indexes.hasIndex(for: rule) ? 0 : base.forest.nodeCount / Self.nodesIndexedPerStep
    return 1 + indexed + exceptions.count * Self.toggleSteps
  }

  /// The number of nodes for which one step is counted when a level index is made.
  private static var nodesIndexedPerStep: Int { 16 }

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
      fewer.rowCount == 0 ? nil : fewer.place(atRow: 0, in: base.forest, base.indexes)
    while let place = next {
      try count(Self.rowSearchSteps)
      if let before = old.row(
        at: place.position,
        depth: place.depth,
        in: base.forest,
        base.indexes
      ),
        let after = new.row(at: place.position, depth: place.depth, in: base.forest, base.indexes)
      {
        shared.append((before, after))
      }
      next = fewer.nextRow(after: place, in: base.forest)
    }
    shared.append((old.rowCount, new.rowCount))
    var last: (old: Int32, new: Int32) = (-1, -1)
    for (before, after) in shared {
      let gone = before - last.old - 1
      let come = after - last.new - 1
      try count(1)
      if gone > 0 {
        let isListed = Int(gone) <= base.watchers[slot].listLimit(listLimit)
        if isListed { try count(Int(gone)) }
        let first = old.place(atRow: last.old + 1, in: base.forest, base.indexes)
        let rows = isListed ? old.listedRows(from: first, count: gone, in: base.forest) : nil
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
    guard base.forest.hasUnloaded else { return }
    var next: Forest<Width>.Place? = base.forest.next(base.forest.place(at: 0))
    while let place = next {
      try count(1)
      let node = base.forest.node(at: place)
      if base.forest.isUnloaded(node), new.isExpanded(node, depth: place.depth),
        !old.isExpanded(node, depth: place.depth)
      {
        base.watchers[slot].expandedUnloaded.append(node)
      }
      next = base.forest.next(place)
    }
  }
}
