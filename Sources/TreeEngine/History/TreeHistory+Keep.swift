// What a commit leaves in the history, and what is forgotten.
extension TreeHistory {
  /// Adds a transaction that is about to be committed.
  ///
  /// - Parameters:
  ///   - done: The transaction.
  ///   - removed: The nodes it removed.
  ///   - changesData: False if its moves cancel out.
  ///   - given: The effects on views to keep; nil for those of the transaction.
  ///   - base: The views, which get their parts of it.
  ///   - recorder: Records the commit, too.
  ///   - pass: Counts the steps.
  /// - Complexity: O(affected views + rows and nodes remembered).
  mutating func keep<Width>(
    _ done: Transaction<Width>,
    removed: [NodeID],
    changesData: Bool,
    as given: CommitRecord<Width>?,
    in base: inout ViewedForest<Width>,
    recordingIn recorder: inout CommitRecorder<Width>,
    passing pass: (Int) -> Void
  ) {
    number += 1
    recorder.begin(number, made: done.made, removed: removed)
    guard isKept || recorder.isRecording else { return base.forest.free(removed, passing: pass) }
    var movers = KeptMovers(of: done, limit: limits.listedRows)
    let showsOldNodes = recorder.isRecording && done.showsOldNodes
    for slot in base.slots(concernedBy: done.reach) where !base.watchers[slot].view.isVacant {
      pass(1)
      if given == nil, !recorder.isRecording, exceedsLimit(slot, base) {
        forgetPast(at: slot, in: &base)
        continue
      }
      let past = given.map { $0.views[slot]?.past } ?? pastView(at: slot, of: done, in: base)
      guard let past, !past.isEmpty else { continue }
      movers.add(past)
      if recorder.isRecording {
        recorder.add(past, at: slot, showsOldNodes: showsOldNodes, in: base)
      }
      if isKept { keep(past, at: slot, in: &base) }
    }
    guard isKept else { return base.forest.free(removed, passing: pass) }
    keepData(of: done, removed, changesData ? movers.nodes : [], in: &base.forest, passing: pass)
    forgetExcess(in: &base, passing: pass)
  }

  private mutating func keepData<Width>(
    of done: Transaction<Width>,
    _ removed: [NodeID],
    _ moved: [NodeID],
    in forest: inout Forest<Width>,
    passing pass: (Int) -> Void
  ) {
    var past = done.past ?? pastData(of: done, removed, in: forest, passing: pass)
    past.number = number
    past.moved = removed.isEmpty ? moved : moved.filter { forest.isAttached($0) }
    for node in removed {
      pass(1)
      forest.discardObject(of: node)
    }
    removedCount += removed.count
    if !past.isEmpty { data.append(past) }
  }

  /// Returns what the history keeps of the nodes that a transaction changed.
  ///
  /// - Complexity: O(nodes touched and removed).
  func pastData<Width>(
    of done: Transaction<Width>,
    _ removed: [NodeID],
    in forest: borrowing Forest<Width>,
    passing pass: (Int) -> Void
  ) -> PastData {
    var past = PastData(number: number, removed: removed)
    let readings = done.readings
    for (node, before) in zip(readings.keys.nodes, readings.values) {
      pass(Self.stepsPerReading)
      guard removed.isEmpty || forest.isAttached(node) else { continue }
      let now = NodeReading(of: node, in: forest)
      let isObjectChanged = !forest.sameBytes(before.object, now.object)
      let isChanged =
        isObjectChanged || before.childState != now.childState
        || before.shownChildCount != now.shownChildCount
      guard isChanged else { continue }
      let kept = PastData.Reading(
        object: isObjectChanged ? digest(of: before.object, in: forest) : nil,
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
  func digest<Width>(of object: ByteArena.Slice, in forest: borrowing Forest<Width>) -> ObjectDigest
  {
    ObjectDigest(forest.objectArena.span(object), seed)
  }

  private mutating func keep<Width>(
    _ past: consuming PastView<Width>,
    at slot: Int,
    in base: inout ViewedForest<Width>
  ) {
    subtract(base.watchers[slot].history)
    base.watchers[slot].history.append(past, limits: limits)
    add(base.watchers[slot].history)
  }

  /// Returns true if the running transaction is too large to be remembered by a view.
  ///
  /// - Complexity: O(runs) if many rows are listed, but no more than the history keeps.
  private func exceedsLimit<Width>(_ slot: Int, _ base: borrowing ViewedForest<Width>) -> Bool {
    let limit = limits.rows
    if base.watchers[slot].toggledBefore.count + base.watchers[slot].selectedBefore.count > limit {
      return true
    }
    guard base.shownSplices(slot) == nil, let delta = base.shownDelta(slot),
      delta.listed.count > limit
    else {
      return false
    }
    return delta.lists(moreThan: limit)
  }

  /// Forgets the history of a view, because the last commit is too large to be remembered.
  private mutating func forgetPast<Width>(at slot: Int, in base: inout ViewedForest<Width>) {
    subtract(base.watchers[slot].history)
    base.watchers[slot].history.forgetAll(through: number)
    add(base.watchers[slot].history)
  }

  /// Returns the effect of a transaction on a view.
  func pastView<Width>(
    at slot: Int,
    of done: Transaction<Width>,
    in base: borrowing ViewedForest<Width>
  ) -> PastView<Width> {
    var past = PastView<Width>(
      number: number,
      rowCountBefore: base.shownRowCountBefore(slot)
    )
    if let splices = base.shownSplices(slot) {
      past.keep(splices)
    } else if let delta = base.shownDelta(slot) {
      past.keep(delta)
    }
    var expansion: PastView<Width>.Expansion?
    if base.watchers[slot].hasNewRule, let before = base.watchers[slot].viewBefore {
      expansion = PastView.Expansion(rule: before.rule, toggled: before.toggledNodes)
    }
    past.record(marks(of: done, inViewAt: slot, base), expansion, base.filterBefore(inViewAt: slot))
    return past
  }

  /// Returns the changes of nodes that a transaction made in a view.
  private func marks<Width>(
    of done: Transaction<Width>,
    inViewAt slot: Int,
    _ base: borrowing ViewedForest<Width>
  ) -> [(node: NodeID, mark: PastView<Width>.Mark)] {
    let toggled = base.watchers[slot].toggledBefore
    let selected = base.watchers[slot].selectedBefore
    let matched = base.matchedBefore(inViewAt: slot)
    let unloaded = base.unloadedByRule(of: done, inViewAt: slot)
    if toggled.isEmpty, selected.isEmpty, matched.isEmpty, unloaded.isEmpty { return [] }
    var marks: [(node: NodeID, mark: PastView<Width>.Mark)] = []
    marks.reserveCapacity(toggled.count + selected.count + matched.count + unloaded.count)
    var expanded = NodeSet()
    for node in base.watchers[slot].expanded where expanded.insert(node) {
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
  mutating func forgetExcess<Width>(
    in base: inout ViewedForest<Width>,
    passing pass: (Int) -> Void = { _ in }
  ) {
    forgetData(in: &base.forest, passing: pass) { $0.isOverLimits }
    while viewWeight > limits.totalRows { forgetQuarter(in: &base) }
    let commits = number - lastSweep
    if base.viewCount == 0 || commits >= max(base.viewCount, Self.commitsASweep) { sweep(&base) }
  }

  /// Forgets the oldest quarter of the remembered commits for all views.
  ///
  /// So a tree with many views remembers fewer commits. A whole quarter is forgotten at once
  /// because each sweep visits every view.
  ///
  /// - Complexity: O(views + entries removed).
  private mutating func forgetQuarter<Width>(in base: inout ViewedForest<Width>) {
    let first = base.watchers.lazy.compactMap(\.history.log.firstNumber).min() ?? number
    oldest = max(oldest, first + (number - first) / 4)
    sweep(&base)
  }

  /// Forgets the effects of all commits up to a number, for all views.
  ///
  /// - Complexity: O(views + entries removed).
  mutating func forget<Width>(through number: Int, in base: inout ViewedForest<Width>) {
    oldest = max(oldest, number)
    sweep(&base)
  }

  /// Forgets entries that no view needs.
  ///
  /// - Complexity: O(views + entries removed).
  mutating func sweep<Width>(_ base: inout ViewedForest<Width>) {
    lastSweep = number
    var needed = number
    forgetCounts()
    for slot in base.watchers.indices where !base.watchers[slot].view.isVacant {
      base.watchers[slot].history.forget(through: oldest)
      add(base.watchers[slot].history)
      needed = min(needed, base.watchers[slot].history.oldest)
    }
    forgetData(in: &base.forest) { history in history.data.firstNumber.map { $0 <= needed } ?? false
    }
  }

  /// Removes the oldest changes of the data as long as a condition holds.
  mutating func forgetData<Width>(
    in forest: inout Forest<Width>,
    passing pass: (Int) -> Void = { _ in },
    while isDoomed: (borrowing TreeHistory) -> Bool
  ) {
    while isDoomed(self), let first = data.removeFirst() {
      forest.free(first.removed, passing: pass)
      removedCount -= first.removed.count
      oldest = max(oldest, first.number)
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
