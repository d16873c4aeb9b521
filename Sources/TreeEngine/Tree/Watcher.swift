/// A view, and its changes in the running transaction.
struct Watcher<Width: NodeWidth>: Sendable {
  var view: View<Width>
  /// The number of rows at the last commit.
  private(set) var rowCountBefore: Int32
  /// The changes of the rows while they are few; empty once ``wholeDelta`` is used.
  private(set) var splices = FewSplices<Width>()
  /// The changes of the rows when they are more than ``splices`` can hold.
  private var wholeDelta = Rare<RowDelta<Width>>()
  /// An upper bound of the rows that removals deleted; rows inserted by the transaction count, too.
  private var removedAtMost: Int32 = 0
  /// The nodes the client has selected.
  var selected = NodeTable<Presence>()
  /// The nodes that the transaction toggled, with true for those that were toggled before.
  var toggledBefore: [NodeID: Bool] = [:]
  /// The nodes that the transaction selected or deselected, with true for those selected before.
  var selectedBefore: [NodeID: Bool] = [:]
  /// The nodes that the transaction expanded by toggles, in order; some may occur twice.
  var expanded: [NodeID] = []
  /// The nodes without loaded children that a change of rule expanded in the transaction.
  var expandedUnloaded: [NodeID] = []
  /// True if the transaction changed the expansion, even if it has no net effect.
  var isTouched = false

  /// The changes of earlier commits.
  var history = ViewHistory<Width>()

  /// The part of ``ViewedForest/memory`` that belongs to this view.
  var countedMemory = ViewMemory()

  private var rareViewBefore = Rare<View<Width>>()
  private var rareAside = Rare<View<Width>>()
  private var rareAsideBefore = Rare<View<Width>>()
  private var rareLayering = Rare<Layering<Width>>()

  init(view: View<Width>) {
    self.view = view
    rowCountBefore = view.isVacant ? 0 : view.rowCount
  }

  /// The view before the transaction; nil unless the rule changed.
  var viewBefore: View<Width>? {
    get { rareViewBefore.value }
    set { rareViewBefore.value = newValue }
  }

  /// True if the rule changed in the transaction.
  var hasNewRule: Bool { !rareViewBefore.isEmpty }

  /// The expansion from before the filter, which is kept aside; nil if there is no filter.
  var aside: View<Width>? {
    get { rareAside.value }
    _modify { yield &rareAside.value }
  }

  /// The rule of ``aside``.
  var asideRule: ExpansionRule? { rareAside.isEmpty ? nil : aside?.rule }

  /// The value of ``aside`` before the transaction; nil unless its rule changed.
  var asideBefore: View<Width>? {
    get { rareAsideBefore.value }
    set { rareAsideBefore.value = newValue }
  }

  /// The filter, the order and their rows; nil without either.
  var layering: Layering<Width>? {
    get { rareLayering.value }
    _modify { yield &rareLayering.value }
  }

  /// The changes of the rows of ``view``, without a layer; nil if there are none.
  var delta: RowDelta<Width>? {
    if let delta = wholeDelta.value { return delta }
    guard !splices.isEmpty else { return nil }
    var delta = RowDelta<Width>(rowCount: rowCountBefore)
    delta.apply(splices)
    return delta
  }

  /// True if ``splices`` contain all changes of the shown rows.
  var hasSplicesOnly: Bool { !isLayered && wholeDelta.isEmpty }

  /// Replaces node ids after a compaction.
  ///
  /// - Precondition: No transaction is running.
  mutating func renumber(_ new: NodeRenumbering) {
    view.renumber(new)
    aside?.renumber(new)
    selected = new.of(selected)
    history.renumber(new)
    layering?.layer?.renumber(new)
  }

  /// True if a filter or an order determines the rows.
  var isLayered: Bool { !rareLayering.isEmpty }

  /// Ends the transaction, and discards the record of its changes.
  mutating func endTransaction() {
    rowCountBefore = view.rowCount
    if !splices.isEmpty { splices.removeAll() }
    if !wholeDelta.isEmpty { wholeDelta.value = nil }
    removedAtMost = 0
    if !toggledBefore.isEmpty { toggledBefore = [:] }
    if !selectedBefore.isEmpty { selectedBefore = [:] }
    if !rareViewBefore.isEmpty { viewBefore = nil }
    if !expanded.isEmpty { expanded = [] }
    if !expandedUnloaded.isEmpty { expandedUnloaded = [] }
    isTouched = false
    if !rareAsideBefore.isEmpty { asideBefore = nil }
    guard isLayered else { return }
    layering?.endTransaction()
    if layering?.isPlain ?? false { layering = nil }
  }

  /// Removes the record of the transaction's changes, so that another transaction can run.
  ///
  /// - Precondition: ``canSetAside``, and the rows are up to date.
  mutating func setAside() -> ViewChanges<Width> {
    precondition(canSetAside, "a new filter or order is not set aside")
    var changes = ViewChanges<Width>()
    if isLayered, let layering {
      changes.rowCountBefore = layering.rowCountBefore
      changes.delta = layering.delta
      changes.layer = (layering.matchedBefore, layering.updatedSteps)
    } else {
      changes.rowCountBefore = rowCountBefore
      changes.splices = splices
      changes.delta = wholeDelta.value
    }
    changes.removedAtMost = removedAtMost
    changes.toggledBefore = toggledBefore
    changes.selectedBefore = selectedBefore
    changes.viewBefore = viewBefore
    changes.expanded = expanded
    changes.expandedUnloaded = expandedUnloaded
    changes.isTouched = isTouched
    endTransaction()
    return changes
  }

  /// True if the transaction set neither the filter nor the order nor what a filter keeps.
  var canSetAside: Bool {
    rareAsideBefore.isEmpty && (!isLayered || layering?.replaced == nil)
  }

  /// Restores the record of changes that was set aside.
  mutating func resume(_ changes: ViewChanges<Width>) {
    if changes.layer != nil {
      // The changes of the rows below the layer have done their work.
      layering?.resume(changes)
    } else {
      rowCountBefore = changes.rowCountBefore
      splices = changes.splices
      wholeDelta.value = changes.delta
    }
    removedAtMost = changes.removedAtMost
    toggledBefore = changes.toggledBefore
    selectedBefore = changes.selectedBefore
    viewBefore = changes.viewBefore
    expanded = changes.expanded
    expandedUnloaded = changes.expandedUnloaded
    isTouched = changes.isTouched
  }

  /// Records, when a node is toggled for the first time, if it was toggled before the transaction.
  mutating func touchToggle(of node: NodeID) {
    guard toggledBefore[node] == nil else { return }
    toggledBefore[node] = viewBefore?.isToggled(node) ?? view.isToggled(node)
  }

  /// Returns true if a node was expanded before the transaction.
  ///
  /// - Parameters:
  ///   - node: The node, which was not a leaf.
  ///   - depth: Its former depth.
  /// - Returns: True if it was expanded.
  @inline(__always)
  func wasExpanded(_ node: NodeID, depth: Int32) -> Bool {
    guard let viewBefore else {
      let wasToggled = toggledBefore[node] ?? view.isToggled(node)
      return view.rule.expands(atDepth: depth) != wasToggled
    }
    let wasToggled = toggledBefore[node] ?? viewBefore.isToggled(node)
    return viewBefore.rule.expands(atDepth: depth) != wasToggled
  }

  /// Returns the maximum number of deleted rows to list, given that of the transaction.
  ///
  /// A layer needs all of them.
  func listLimit(_ limit: Int) -> Int { isLayered ? .max : limit }

  /// False once all rows are replaced, because single changes have no effect then.
  private var isRecording: Bool { !isLayered || layering?.replaced == nil }

  /// Records deleted or inserted rows.
  ///
  /// - Returns: The number of listed rows that were copied for this.
  mutating func record(_ next: RowSplice<Width>) -> Int {
    guard isRecording, next.count > 0 else { return 0 }
    if wholeDelta.isEmpty, splices.add(next) { return 0 }
    let isFirst = wholeDelta.isEmpty
    keepWholeDelta()
    var copied = 0
    wholeDelta.update { delta in
      let before = isFirst ? 0 : delta.listed.count
      delta.apply(next)
      copied = delta.listed.count - before
    }
    return copied
  }

  /// Sorts the changes, so that several readings are cheap.
  mutating func sortDelta() { wholeDelta.update { $0.sort() } }

  /// Moves the changes from ``splices`` to ``wholeDelta``.
  private mutating func keepWholeDelta() {
    guard !splices.isEmpty else { return }
    wholeDelta.value = delta
    splices.removeAll()
  }

  // MARK: Looking at the view

  // These do not change the view. They are `mutating`, because exclusive access saves a copy of it.

  /// Returns the rows of entries; see ``View/rows(of:in:_:)``.
  mutating func rows(
    of stretch: RuleStretch,
    in forest: borrowing Forest<Width>,
    _ indexes: borrowing LevelIndexes<Width>
  ) -> (row: Int32, count: Int32)? {
    view.rows(of: stretch, in: forest, indexes)
  }

  /// Returns consecutive rows; see ``View/listedRows(from:count:in:)``.
  mutating func listedRows(
    from first: Forest<Width>.Place,
    count: Int32,
    in forest: borrowing Forest<Width>
  ) -> [RowDelta<Width>.Listed] {
    view.listedRows(from: first, count: count, in: forest)
  }

  /// Returns consecutive rows by their indexes; see ``View/listedRows(from:count:in:_:)``.
  mutating func listedRows(
    _ rows: Range<Int32>,
    in forest: borrowing Forest<Width>,
    _ indexes: borrowing LevelIndexes<Width>
  ) -> [RowDelta<Width>.Listed] {
    view.listedRows(from: rows.lowerBound, count: Int32(rows.count), in: forest, indexes)
  }

  /// The number of rows up to which listing costs little more than counting.
  private static var fewRows: Int32 { 8 }

  /// Returns the parts of deleted rows that existed before the transaction.
  ///
  /// Rows that the transaction inserted and deletes again leave no trace, so they need not be
  /// listed. So no more rows are listed than there were before, however often rows come and go.
  ///
  /// - Complexity: O(*k* log *k*) for *k* runs concerned.
  mutating func partsBefore(of rows: Range<Int32>) -> [Range<Int32>] {
    // The changes before the replacement do not lead to the present rows.
    guard isRecording else { return [] }
    if rows.count <= Self.fewRows || splices.isEmpty && wholeDelta.isEmpty { return [rows] }
    keepWholeDelta()
    var retained = [rows]
    wholeDelta.update { retained = $0.retainedParts(of: rows) }
    return retained
  }

  /// Returns the parts to list, of the rows that a removal is about to delete.
  ///
  /// Once removals have deleted more than `limit` former rows, long runs are not listed. A few rows
  /// are listed in any case, because an entry for a single row must have its key.
  ///
  /// - Complexity: O(*k* log *k*) for *k* runs concerned.
  mutating func partsToList(ofRemoved rows: Range<Int32>, limit: Int) -> [Range<Int32>] {
    let count = Int32(rows.count)
    removedAtMost += count
    if count <= Self.fewRows || Int(removedAtMost) <= limit || isLayered { return [rows] }
    let retained = partsBefore(of: rows)
    let removed = retained.reduce(wholeDelta.value?.removedCount ?? 0) { $0 + Int32($1.count) }
    return Int(removed) <= limit ? retained : retained.filter { $0.count <= Self.fewRows }
  }
}
