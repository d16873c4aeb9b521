// History of commits, from which a view learns what changed since one of them.
extension SizedTree {
  /// The number of the last commit.
  ///
  /// Commits made with `isRemembered` false are not counted.
  ///
  /// - Complexity: O(1).
  public var commitNumber: Int {
    @specialized(where Width == Fanout<64>)
    get { history.number }
  }

  /// Returns the number of the oldest commit since which a view's changes are known.
  ///
  /// See ``changes(of:since:isOneCommit:counting:)``.
  ///
  /// - Complexity: O(1).
  @specialized(where Width == Fanout<64>)
  public func oldestCommit(of id: ViewID) -> Int {
    let own = watchers[slot(of: id)].history.oldest
    return history.isKept ? max(own, history.oldest) : history.number
  }

  /// Adds a transaction that is about to be committed to the history.
  ///
  /// - Parameters:
  ///   - done: the transaction.
  ///   - removed: the nodes it removed.
  ///   - changesData: False if its moves cancel out.
  ///   - given: The effects on views to keep; nil for those of the transaction.
  ///   - pass: Counts the steps.
  /// - Complexity: O(affected views + rows and nodes remembered).
  mutating func keepHistory(
    of done: Transaction<Width>,
    removed: [NodeID],
    changesData: Bool,
    as given: CommitRecord<Width>?,
    passing pass: PauseCounter
  ) {
    history.number += 1
    if isRecording {
      record = CommitRecord(number: history.number, made: done.made, removed: removed)
    }
    guard history.isKept || isRecording else { return free(removed, passing: pass) }
    var movers = KeptMovers(of: done, limit: history.limits.listedRows)
    let showsOldNodes = isRecording && showsOldNodes(done)
    forEachSlot(concernedBy: done.reach) { tree, slot in
      pass(1)
      if given == nil, tree.exceedsHistory(inViewAt: slot) { return tree.forgetPast(at: slot) }
      let past = given.map { $0.views[slot]?.past } ?? tree.pastView(at: slot, of: done)
      guard let past, !past.isEmpty else { return }
      movers.add(past)
      if tree.isRecording { tree.addToRecord(past, at: slot, showsOldNodes: showsOldNodes) }
      if tree.history.isKept { tree.keep(past, at: slot) }
    }
    guard history.isKept else { return free(removed, passing: pass) }
    keepData(of: done, removed, changesData ? movers.nodes : [], passing: pass)
    forgetHistory(passing: pass)
  }

  /// Frees removed nodes that the history does not name any more.
  mutating func free(_ removed: [NodeID], passing pass: PauseCounter = { _ in }) {
    for node in removed {
      pass(1)
      forest.deallocate(node)
    }
  }

  private mutating func keepData(
    of done: Transaction<Width>,
    _ removed: [NodeID],
    _ moved: [NodeID],
    passing pass: PauseCounter
  ) {
    var past = done.past ?? pastData(of: done, removed, passing: pass)
    past.number = history.number
    past.moved = removed.isEmpty ? moved : moved.filter { forest.isAttached($0) }
    for node in removed {
      pass(1)
      forest.discardObject(of: node)
    }
    history.removedCount += removed.count
    if !past.isEmpty { history.data.append(past) }
  }

  /// Computes what the history keeps of the nodes, so that the commit need not.
  ///
  /// Other transactions may be committed beneath the running one, which must not go on.
  ///
  /// - Parameter pass: Counts the steps.
  /// - Complexity: O(nodes touched and removed).
  @specialized(where Width == Fanout<64>)
  public mutating func prepareCommit(passing pass: PauseCounter = { _ in }) {
    guard history.isKept, let running = transaction else { return }
    let past = pastData(of: running, removedNodes(of: running), passing: pass)
    transaction?.keep(past)
  }

  private func pastData(
    of done: Transaction<Width>,
    _ removed: [NodeID],
    passing pass: PauseCounter
  ) -> PastData {
    var past = PastData(number: history.number, removed: removed)
    let readings = done.readings
    for (node, before) in zip(readings.keys.nodes, readings.values) {
      pass(Self.stepsPerReading)
      guard removed.isEmpty || forest.isAttached(node) else { continue }
      let now = Self.reading(of: node, in: forest)
      let isObjectChanged = !sameBytes(before.object, now.object)
      let isChanged =
        isObjectChanged || before.childState != now.childState
        || before.shownChildCount != now.shownChildCount
      guard isChanged else { continue }
      let kept = PastData.Reading(
        object: isObjectChanged ? digest(of: before.object) : nil,
        childState: before.childState,
        childCount: before.shownChildCount
      )
      past.readings.append((node, kept))
    }
    return past
  }

  /// The number of steps that are counted for keeping the former data of a node.
  private static var stepsPerReading: Int { 2 }

  /// Returns the digest that stands for an object in the history.
  func digest(of object: ByteArena.Slice) -> ObjectDigest {
    ObjectDigest(forest.objectArena.span(object), history.seed)
  }

  private mutating func keep(_ past: consuming PastView<Width>, at slot: Int) {
    history.subtract(watchers[slot].history)
    watchers[slot].history.append(past, limits: history.limits)
    history.add(watchers[slot].history)
  }

  /// Returns true if the running transaction is too large to be remembered by a view.
  ///
  /// - Complexity: O(runs) if many rows are listed, but no more than the history keeps.
  private func exceedsHistory(inViewAt slot: Int) -> Bool {
    guard !isRecording else { return false }
    let limit = history.limits.rows
    if watchers[slot].toggledBefore.count + watchers[slot].selectedBefore.count > limit {
      return true
    }
    guard shownSplices(slot) == nil, let delta = shownDelta(slot), delta.listed.count > limit else {
      return false
    }
    return delta.lists(moreThan: limit)
  }

  /// Forgets the history of a view, because the last commit is too large to be remembered.
  private mutating func forgetPast(at slot: Int) {
    history.subtract(watchers[slot].history)
    watchers[slot].history.forgetAll(through: history.number)
    history.add(watchers[slot].history)
  }

  func pastView(at slot: Int, of done: Transaction<Width>) -> PastView<Width> {
    var past = PastView<Width>(
      number: history.number,
      rowCountBefore: shownRowCountBefore(slot)
    )
    if let splices = shownSplices(slot) {
      past.keep(splices)
    } else if let delta = shownDelta(slot) {
      past.keep(delta)
    }
    var expansion: PastView<Width>.Expansion?
    if watchers[slot].hasNewRule, let before = watchers[slot].viewBefore {
      expansion = PastView.Expansion(rule: before.rule, toggled: before.toggledNodes)
    }
    past.record(marks(of: done, inViewAt: slot), expansion, filterBefore(inViewAt: slot))
    return past
  }

  /// Returns the changes of nodes that a transaction made in a view.
  private func marks(
    of done: Transaction<Width>,
    inViewAt slot: Int
  ) -> [(node: NodeID, mark: PastView<Width>.Mark)] {
    let toggled = watchers[slot].toggledBefore
    let selected = watchers[slot].selectedBefore
    let matched = matchedBefore(inViewAt: slot)
    let unloaded = unloadedByRule(of: done, inViewAt: slot)
    if toggled.isEmpty, selected.isEmpty, matched.isEmpty, unloaded.isEmpty { return [] }
    var marks: [(node: NodeID, mark: PastView<Width>.Mark)] = []
    marks.reserveCapacity(toggled.count + selected.count + matched.count + unloaded.count)
    var expanded = NodeSet()
    for node in watchers[slot].expanded where expanded.insert(node) {
      if let was = toggled[node] { marks.append((node, .expanded(was))) }
    }
    for (node, was) in toggled where expanded.place(of: node) == nil {
      marks.append((node, .toggled(was)))
    }
    marks += selected.map { ($0, .selected($1)) }
    marks += matched.map { ($0, .matched($1)) }
    marks += unloaded.map { ($0, .expandedUnloaded) }
    return marks
  }

  /// The least number of commits between two sweeps.
  private static var commitsASweep: Int { 16 }

  /// Forgets entries beyond the limits and, from time to time, those that no view needs.
  ///
  /// - Complexity: O(1) on average over as many commits as there are views.
  mutating func forgetHistory(passing pass: PauseCounter = { _ in }) {
    forgetData(passing: pass) { $0.isOverLimits }
    while history.viewWeight > history.limits.totalRows { forgetQuarter() }
    let commits = history.number - history.lastSweep
    if viewCount == 0 || commits >= max(viewCount, Self.commitsASweep) { sweepHistory() }
  }

  /// Forgets the oldest quarter of the remembered commits for all views.
  ///
  /// So a tree with many views remembers fewer commits. A whole quarter is forgotten at once
  /// because each sweep visits every view.
  ///
  /// - Complexity: O(views + entries removed).
  private mutating func forgetQuarter() {
    let first = watchers.lazy.compactMap(\.history.log.firstNumber).min() ?? history.number
    history.oldest = max(history.oldest, first + (history.number - first) / 4)
    sweepHistory()
  }

  /// Forgets the effects of all commits up to a number, for all views.
  ///
  /// - Complexity: O(views + entries removed).
  @specialized(where Width == Fanout<64>)
  public mutating func forgetHistory(through number: Int) {
    history.oldest = max(history.oldest, number)
    sweepHistory()
  }

  /// Forgets entries that no view needs.
  ///
  /// - Complexity: O(views + entries removed).
  mutating func sweepHistory() {
    history.lastSweep = history.number
    var needed = history.number
    history.forgetCounts()
    for slot in watchers.indices where !watchers[slot].view.isVacant {
      watchers[slot].history.forget(through: history.oldest)
      history.add(watchers[slot].history)
      needed = min(needed, watchers[slot].history.oldest)
    }
    forgetData { history in history.data.firstNumber.map { $0 <= needed } ?? false }
  }

  /// Removes the oldest changes of the data as long as a condition holds.
  mutating func forgetData(
    passing pass: PauseCounter = { _ in },
    while isDoomed: (borrowing TreeHistory) -> Bool
  ) {
    while isDoomed(history), let first = history.data.removeFirst() {
      free(first.removed, passing: pass)
      history.removedCount -= first.removed.count
      history.oldest = max(history.oldest, first.number)
    }
  }
}

/// The moved nodes of a commit that the history remembers.
///
/// Rows move only with such a node or below one. If there are many, only those that some view
/// listed are remembered: no other row can have moved on its own.
private struct KeptMovers<Width: NodeWidth> {
  private let moved: NodeSet
  /// The listed nodes, or nil if all moved nodes are remembered.
  private var listed: NodeSet?

  init(of done: Transaction<Width>, limit: Int) {
    moved = done.moved
    if moved.nodes.count > limit { listed = NodeSet() }
  }

  var nodes: [NodeID] { listed?.nodes ?? moved.nodes }

  /// Adds the nodes that a view listed.
  mutating func add(_ past: borrowing PastView<Width>) {
    guard listed != nil else { return }
    past.forEachListed { row in
      if moved.place(of: row.node) != nil { listed?.insert(row.node) }
    }
  }
}
