/// A forest with its views, and the running transaction that changes them.
///
/// Each change is recorded with the data to undo it, and each view collects the difference of its
/// rows.
struct TreeEditor<Width: NodeWidth>: ~Copyable, Sendable {
  typealias ViewID = SizedTree<Width>.ViewID
  typealias StepCounter = SizedTree<Width>.StepCounter
  typealias PauseCounter = SizedTree<Width>.PauseCounter

  /// The forest and its views.
  var base: ViewedForest<Width>
  var transaction: Transaction<Width>?
  /// At most one finished and emptied transaction, whose capacity the next one reuses.
  private var spareTransactions: [Transaction<Width>] = []
  /// The maximum depth of a node; a root has depth 0.
  var maxDepth: Int

  init(_ base: consuming ViewedForest<Width>, maxDepth: Int) {
    self.base = base
    self.maxDepth = maxDepth
  }

  /// True if the rows of all views contain all changes of the running transaction.
  var hasUpdatedRows: Bool {
    guard let reach = transaction?.reach else { return true }
    // Views without a layer have nothing to update.
    return (reach.hasLayered ? base.layered : reach.slots).allSatisfy {
      base.hasUpdatedRows($0, in: transaction)
    }
  }

  /// Begins a transaction.
  mutating func begin(listLimit: Int, removedLimit: Int) {
    precondition(transaction == nil, "a transaction is running")
    var next = spareTransactions.popLast() ?? Transaction<Width>()
    next.listLimit = listLimit
    next.removedLimit = removedLimit
    next.keyArena = base.forest.keyArena.mark
    next.objectArena = base.forest.objectArena.mark
    transaction = next
    base.forest.setChanging(true)
  }

  /// Undoes the transaction and ends it, so that the tree and its views are as before.
  mutating func rollback(passing pass: PauseCounter = { _ in }) {
    guard let done = transaction.take() else { preconditionFailure("no transaction is running") }
    for slot in base.layered where done.reach.contains(layeredViewAt: slot) {
      base.watchers[slot].layering?.rollBack()
    }
    base.orderings.removeAll(where: \.isNew)
    for place in base.orderings.indices { base.orderings[place].rollBack() }
    for inverse in done.inverses.reversed() {
      pass(1)
      undo(inverse, passing: pass)
    }
    for node in done.made.reversed() {
      pass(1)
      unmake(node)
    }
    base.forest.keyArena.rewind(to: done.keyArena)
    base.forest.objectArena.rewind(to: done.objectArena)
    end(consume done)
  }

  /// Ends a transaction that was committed or undone.
  mutating func end(_ done: consuming Transaction<Width>) {
    let hasRetoggled = done.retoggledCount > 0
    for slot in base.slots(concernedBy: done.reach) where !base.watchers[slot].view.isVacant {
      let isToCount = hasRetoggled || base.watchers[slot].mayHaveOtherMemory
      base.watchers[slot].endTransaction()
      if isToCount { base.countMemory(at: slot) }
      if !base.watchers[slot].isLayered, !base.layered.isEmpty { base.layered.remove(slot) }
    }
    base.forest.setChanging(false)
    done.removeAll()
    spareTransactions.append(done)
  }

  private mutating func undo(
    _ inverse: Transaction<Width>.Inverse,
    passing pass: PauseCounter
  ) {
    switch inverse {
    case .linked(let node, let count, let at):
      let behind = base.forest.opening(under: at.parent, at: at.index + Int(count))
      let stretch = Forest<Width>.Stretch(
        first: base.forest.place(of: node),
        following: behind.following,
        end: behind.position,
        rootCount: count
      )
      let (cutting, _) = cut(stretch)
      base.forest.release(cutting, passing: pass)
    case .removed(let cutting, let from, let toggled):
      for node in base.forest.nodes(of: cutting, passing: pass) {
        pass(1)
        base.forest.registerKey(of: node)
        base.forest.recordUnloaded(node, 1)
      }
      paste(cutting, under: from.parent, at: from.index, toggled: toggled)
    case .moved(let node, let from, _):
      let (cutting, toggled) = cut(base.forest.subtree(at: base.forest.place(of: node)))
      paste(cutting, under: from.parent, at: from.index, toggled: toggled)
    case .arranged(let parent, let former):
      let positions = former.map { node in
        pass(1)
        return base.forest.place(of: node).position
      }
      rearrange(positions, under: parent, passing: pass)
    case .object(let node, let slice):
      base.forest.objectArena.discard(base.forest[node].object)
      base.forest[node].object = slice
    case .childState(let node, let state, let hint):
      base.forest.storeChildState(state, hint: hint, of: node)
    case .toggledAside(let node, let slot):
      base.watchers[slot].aside?.toggle(node, in: base.forest, base.indexes)
    case .toggled(let node, let slot):
      base.watchers[slot].view.toggle(node, in: base.forest, base.indexes)
    case .selected(let nodes, let isSelected, let slot):
      pass(nodes.count)
      if isSelected {
        for node in nodes { base.watchers[slot].selected.remove(node) }
      } else {
        for node in nodes { base.watchers[slot].selected.insert(node) }
      }
    case .rule(let view, let slot):
      replaceView(view, at: slot)
    case .views(let view, let aside, let slot):
      restoreViews(view, aside: aside, at: slot)
    }
  }

  /// Replaces a view by one with another rule.
  mutating func replaceView(_ view: View<Width>, at slot: Int) {
    base.indexes.retain(for: view.rule, of: base.forest)
    base.indexes.release(for: base.watchers[slot].view.rule)
    base.watchers[slot].view = view
  }

  // `__owned` avoids a copy. With `consuming` instead, the compiler crashes (Swift 6.3.1).
  mutating func record(_ inverse: __owned Transaction<Width>.Inverse) {
    precondition(transaction != nil, "mutations belong in a transaction")
    transaction?.reach.extend(to: inverse)
    transaction?.listedBytes += inverse.listedBytes
    transaction?.inverses.append(inverse)
  }

  /// Records the data of a node before its first change.
  mutating func touch(_ node: NodeID) {
    guard node != .forestRoot else { return }
    transaction?.readings.insert(node, NodeReading(of: node, in: base.forest))
  }

  /// Adds an ordering, which a rollback removes; returns its name.
  mutating func add(_ ordering: Ordering<Width>) -> OrderingID {
    base.add(ordering, afterSteps: transaction?.inverses.count)
  }

  // MARK: Commit

  /// Frees the entries of the subtrees that a transaction removed, before it is committed.
  ///
  /// - Returns: The nodes removed.
  mutating func releaseRemoved(
    _ done: Transaction<Width>,
    passing pass: PauseCounter
  ) -> [NodeID] {
    var removed: [NodeID] = []
    for inverse in done.inverses {
      guard case .removed(let cutting, _, _) = inverse else { continue }
      removed += base.forest.nodes(of: cutting, passing: pass)
      base.forest.release(cutting, passing: pass)
    }
    for place in base.orderings.indices { base.orderings[place].endTransaction() }
    return removed
  }

  /// Discards the objects that a committed transaction replaced.
  mutating func discardReplaced(_ done: Transaction<Width>) {
    for inverse in done.inverses {
      guard case .object(let node, let slice) = inverse else { continue }
      if slice != base.forest[node].object { base.forest.objectArena.discard(slice) }
    }
  }
}
