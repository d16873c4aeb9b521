/// A view, and what a running transaction has done to it.
struct Watcher<Width: NodeWidth>: Sendable {
  var view: View<Width>
  /// Rows as of the last commit.
  private(set) var rowCountBefore: Int32
  /// What happened to the rows, unless it is more than that holds.
  private(set) var splices = FewSplices<Width>()
  /// What happened to the rows, where it is more.
  private var wholeDelta = Rare<RowDelta<Width>>()
  /// Rows that removals took out, those counted that had come in the transaction.
  private var removedAtMost: Int32 = 0
  /// The nodes the client has selected.
  var selected = NodeTable<Presence>()
  /// Whether they were toggled before the transaction, of the nodes it toggled.
  var toggledBefore: [NodeID: Bool] = [:]
  /// Whether they were selected before the transaction, of the nodes it selected or deselected.
  var selectedBefore: [NodeID: Bool] = [:]
  /// Nodes that the transaction toggled and thereby expanded, in this order; some twice.
  var expanded: [NodeID] = []
  /// Nodes without supplied children that a change of rule expanded in the transaction.
  var expandedUnloaded: [NodeID] = []
  /// Expansion of some node was changed, whatever it is in the end.
  var isTouched = false

  /// What is remembered of earlier commits.
  var history = ViewHistory<Width>()

  /// The bytes that are counted of it in ``SizedTree/viewMemory``.
  var countedMemory = ViewMemory()

  private var rareViewBefore = Rare<View<Width>>()
  private var rareAside = Rare<View<Width>>()
  private var rareAsideBefore = Rare<View<Width>>()
  private var rareLayering = Rare<Layering<Width>>()

  init(view: View<Width>) {
    self.view = view
    rowCountBefore = view.isVacant ? 0 : view.rowCount
  }

  /// The view as it was before its rule changed in this transaction.
  var viewBefore: View<Width>? {
    get { rareViewBefore.value }
    set { rareViewBefore.value = newValue }
  }

  /// Whether the rule changed in this transaction.
  var hasNewRule: Bool { !rareViewBefore.isEmpty }

  /// The expansion without the filter, while there is one.
  var aside: View<Width>? {
    get { rareAside.value }
    _modify { yield &rareAside.value }
  }

  /// The rule of that.
  var asideRule: ExpansionRule? { rareAside.isEmpty ? nil : aside?.rule }

  /// That as it was before its rule changed in this transaction.
  var asideBefore: View<Width>? {
    get { rareAsideBefore.value }
    set { rareAsideBefore.value = newValue }
  }

  /// What filter and order make of the rows; nil without either.
  var layering: Layering<Width>? {
    get { rareLayering.value }
    _modify { yield &rareLayering.value }
  }

  /// What happened to the rows; nil while none came or went.
  var delta: RowDelta<Width>? {
    if let delta = wholeDelta.value { return delta }
    guard !splices.isEmpty else { return nil }
    var delta = RowDelta<Width>(rowCount: rowCountBefore)
    delta.apply(splices)
    return delta
  }

  /// Whether ``splices`` tell all that happened to the rows shown.
  var hasSplicesOnly: Bool { !isLayered && wholeDelta.isEmpty }

  /// Follows the nodes to their new ids, between transactions.
  mutating func renumber(_ new: NodeRenumbering) {
    view.renumber(new)
    aside?.renumber(new)
    selected = new.of(selected)
    history.renumber(new)
    layering?.layer?.renumber(new)
  }

  /// Whether filter or order make something else of the rows.
  var isLayered: Bool { !rareLayering.isEmpty }

  /// Forgets what a transaction did.
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

  /// Remembers whether a node was toggled, the first time that changes.
  mutating func touchToggle(of node: NodeID) {
    guard toggledBefore[node] == nil else { return }
    toggledBefore[node] = viewBefore?.isToggled(node) ?? view.isToggled(node)
  }

  /// Whether a node that was no leaf was expanded before the transaction, given its depth then.
  func wasExpanded(_ node: NodeID, depth: Int32) -> Bool {
    guard let viewBefore else {
      let wasToggled = toggledBefore[node] ?? view.isToggled(node)
      return view.rule.expands(atDepth: depth) != wasToggled
    }
    let wasToggled = toggledBefore[node] ?? viewBefore.isToggled(node)
    return viewBefore.rule.expands(atDepth: depth) != wasToggled
  }

  /// Deletions of more rows than this are not listed, given what the transaction says.
  ///
  /// A layer needs them all.
  func listLimit(_ limit: Int) -> Int { isLayered ? .max : limit }

  /// Once all rows are replaced, what comes and goes among them is of no interest.
  private var isRecording: Bool { !isLayered || layering?.replaced == nil }

  /// Takes note of rows that go or come.
  ///
  /// - Returns: The number of listed rows that were copied for that.
  mutating func record(_ next: RowSplice<Width>) -> Int {
    guard isRecording, next.count > 0 else { return 0 }
    if wholeDelta.isEmpty, splices.add(next) { return 0 }
    var copied = wholeDelta.isEmpty ? 0 : -(wholeDelta.value?.listed.count ?? 0)
    keepWholeDelta()
    wholeDelta.update { delta in
      delta.apply(next)
      copied += delta.listed.count
    }
    return copied
  }

  /// Prepares for what happened to be read out.
  mutating func sortDelta() { wholeDelta.update { $0.sort() } }

  /// Turns what happened into a delta that takes more.
  private mutating func keepWholeDelta() {
    guard !splices.isEmpty else { return }
    wholeDelta.value = delta
    splices.removeAll()
  }

  // MARK: Looking at the view

  // These change nothing. Where nobody else may change the view meanwhile, it is not copied first.

  /// The rows that entries are; see ``View/rows(of:in:_:)``.
  mutating func rows(
    of stretch: RuleStretch,
    in forest: borrowing Forest<Width>,
    _ indexes: borrowing LevelIndexes<Width>
  ) -> (row: Int32, count: Int32)? {
    view.rows(of: stretch, in: forest, indexes)
  }

  /// Consecutive rows; see ``View/listedRows(from:count:in:)``.
  mutating func listedRows(
    from first: Forest<Width>.Place,
    count: Int32,
    in forest: borrowing Forest<Width>
  ) -> [RowDelta<Width>.Listed] {
    view.listedRows(from: first, count: count, in: forest)
  }

  /// Consecutive rows, by their indexes; see ``View/listedRows(from:count:in:_:)``.
  mutating func listedRows(
    _ rows: Range<Int32>,
    in forest: borrowing Forest<Width>,
    _ indexes: borrowing LevelIndexes<Width>
  ) -> [RowDelta<Width>.Listed] {
    view.listedRows(from: rows.lowerBound, count: Int32(rows.count), in: forest, indexes)
  }

  /// So many rows cost little more to list than to count.
  private static var fewRows: Int32 { 8 }

  /// The parts of rows about to go that were rows before the transaction.
  ///
  /// What came in it and goes again leaves nothing behind, so that nobody asks which rows that
  /// were. However often rows go and come, no more are listed than there were.
  ///
  /// - Complexity: O(*k* log *k*) in the runs concerned.
  mutating func partsBefore(of rows: Range<Int32>) -> [Range<Int32>] {
    if rows.count <= Self.fewRows || splices.isEmpty && wholeDelta.isEmpty { return [rows] }
    keepWholeDelta()
    var retained = [rows]
    wholeDelta.update { retained = $0.retainedParts(of: rows) }
    return retained
  }

  /// The parts to be listed of rows that a removal is about to take out.
  ///
  /// Once removals have taken out more rows of before than `limit`, so many will not be named one
  /// by one. A few are all the same: no entry stands for a single row without its name.
  ///
  /// - Complexity: O(*k* log *k*) in the runs concerned.
  mutating func partsToList(ofRemoved rows: Range<Int32>, limit: Int) -> [Range<Int32>] {
    let count = Int32(rows.count)
    removedAtMost += count
    if count <= Self.fewRows || Int(removedAtMost) <= limit || isLayered { return [rows] }
    let retained = partsBefore(of: rows)
    let removed = retained.reduce(wholeDelta.value?.removedCount ?? 0) { $0 + Int32($1.count) }
    return Int(removed) <= limit ? retained : retained.filter { $0.count <= Self.fewRows }
  }
}
