extension SizedTree {
  /// Begins a transaction.
  ///
  /// - Parameters:
  ///   - listLimit: The maximum number of deleted rows to report by node. A longer run is reported
  ///     without its nodes, in O(log *n*) instead of O(rows). May be set only for a transaction of
  ///     a **single** step: one insertion, removal, move, expansion, collapse or change of rule.
  ///     With several steps, the nodes are needed to find what cancels out.
  ///   - removedLimit: The number of removed rows of a view after which further ones are reported
  ///     without their nodes. Allowed with any steps, because removed nodes do not return. A few
  ///     rows side by side, and rows at the top level, are always listed.
  /// - Precondition: No transaction is running.
  /// - Complexity: O(1).
  @specialized(where Width == Fanout<64>)
  public mutating func begin(listLimit: Int = .max, removedLimit: Int = .max) {
    precondition(transaction == nil, "a transaction is running")
    var next = spareTransactions.popLast() ?? Transaction<Width>()
    next.listLimit = max(listLimit, history.limits.listedRows)
    next.removedLimit = removedLimit
    next.keyArena = forest.keyArena.mark
    next.objectArena = forest.objectArena.mark
    transaction = next
    forest.setChanging(true)
  }

  /// Commits the transaction.
  ///
  /// Removed nodes are freed when no change list since an earlier commit can name them any more.
  ///
  /// - Parameters:
  ///   - isRemembered: True to keep it in the history. False for a transaction without net effect
  ///     (see ``hasDataChanges(counting:)``), so that it displaces no other commit there.
  ///   - changesData: False if its moves cancel out. Later change lists do not contain them then.
  ///   - given: The record of the same transaction on another fork, whose effects on views are kept
  ///     in the history.
  ///   - pass: Counts the steps of freeing what was removed.
  /// - Complexity: O(views concerned + nodes removed and touched), and O(rows listed) if history is
  ///   kept.
  @specialized(where Width == Fanout<64>)
  public mutating func commit(
    isRemembered: Bool = true,
    changesData: Bool = true,
    as given: CommitRecord<Width>? = nil,
    passing pass: PauseCounter = { _ in }
  ) {
    precondition(hasUpdatedAllRows, "the rows of a view are not up to date")
    guard let done = transaction.take() else { preconditionFailure("no transaction is running") }
    precondition(done.unlinkedCount == 0, "a node was made and linked nowhere")
    if changeRecord?.watch == nil { changeRecord = nil }
    changeRecord?.add(done, in: forest, displacedIn: orderings)
    var removed: [NodeID] = []
    for inverse in done.inverses {
      guard case .removed(let cutting, _, _) = inverse else { continue }
      removed += forest.nodes(of: cutting, passing: pass)
      forest.release(cutting, passing: pass)
    }
    for place in orderings.indices { orderings[place].endTransaction() }
    if isRemembered {
      keepHistory(
        of: done,
        removed: removed,
        changesData: changesData,
        as: given,
        passing: pass
      )
    } else {
      free(removed, passing: pass)
    }
    for inverse in done.inverses {
      guard case .object(let node, let slice) = inverse else { continue }
      if slice != forest[node].object { forest.objectArena.discard(slice) }
    }
    end(consume done)
  }

  /// Undoes the transaction and ends it, so that the tree and its views are as before.
  ///
  /// - Parameter pass: Counts the steps.
  /// - Complexity: That of the undone steps.
  @specialized(where Width == Fanout<64>)
  public mutating func rollback(passing pass: PauseCounter = { _ in }) {
    guard let done = transaction.take() else { preconditionFailure("no transaction is running") }
    for slot in layered where done.reach.contains(layeredViewAt: slot) {
      watchers[slot].layering?.rollBack()
    }
    orderings.removeAll(where: \.isNew)
    for place in orderings.indices { orderings[place].rollBack() }
    for inverse in done.inverses.reversed() {
      pass(1)
      undo(inverse, passing: pass)
    }
    for node in done.made.reversed() {
      pass(1)
      unmake(node)
    }
    forest.keyArena.rewind(to: done.keyArena)
    forest.objectArena.rewind(to: done.objectArena)
    end(consume done)
  }

  private mutating func end(_ done: consuming Transaction<Width>) {
    let hasRetoggled = done.retoggledCount > 0
    forEachSlot(concernedBy: done.reach) { tree, slot in
      let isToCount = hasRetoggled || tree.watchers[slot].mayHaveOtherMemory
      tree.watchers[slot].endTransaction()
      if isToCount { tree.countMemory(at: slot) }
      if !tree.watchers[slot].isLayered, !tree.layered.isEmpty { tree.layered.remove(slot) }
    }
    forest.setChanging(false)
    done.removeAll()
    spareTransactions.append(done)
  }

  /// Calls a function for each view that a transaction may have changed.
  mutating func forEachSlot(
    concernedBy reach: Transaction<Width>.Reach,
    _ body: (inout SizedTree, Int) -> Void
  ) {
    guard !reach.isEveryView else {
      for slot in watchers.indices where !watchers[slot].view.isVacant { body(&self, slot) }
      return
    }
    for slot in reach.hasLayered ? layered.union(reach.slots) : reach.slots { body(&self, slot) }
  }

  private mutating func undo(
    _ inverse: Transaction<Width>.Inverse,
    passing pass: PauseCounter
  ) {
    switch inverse {
    case .linked(let node, let count, let at):
      let behind = forest.opening(under: at.parent, at: at.index + Int(count))
      let stretch = Forest<Width>.Stretch(
        first: forest.place(of: node),
        following: behind.following,
        end: behind.position,
        rootCount: count
      )
      let (cutting, _) = cut(stretch)
      forest.release(cutting, passing: pass)
    case .removed(let cutting, let from, let toggled):
      for node in forest.nodes(of: cutting, passing: pass) {
        pass(1)
        forest.registerKey(of: node)
        recordUnloaded(node, 1)
      }
      paste(cutting, under: from.parent, at: from.index, toggled: toggled)
    case .moved(let node, let from, _):
      let (cutting, toggled) = cut(forest.subtree(at: forest.place(of: node)))
      paste(cutting, under: from.parent, at: from.index, toggled: toggled)
    case .arranged(let parent, let former):
      let positions = former.map { node in
        pass(1)
        return forest.place(of: node).position
      }
      rearrange(positions, under: parent, passing: pass)
    case .object(let node, let slice):
      forest.objectArena.discard(forest[node].object)
      forest[node].object = slice
    case .childState(let node, let state, let hint):
      storeChildState(state, hint: hint, of: node)
    case .toggledAside(let node, let slot):
      watchers[slot].aside?.toggle(node, in: forest, indexes)
    case .toggled(let node, let slot):
      watchers[slot].view.toggle(node, in: forest, indexes)
    case .selected(let nodes, let isSelected, let slot):
      pass(nodes.count)
      if isSelected {
        for node in nodes { watchers[slot].selected.remove(node) }
      } else {
        for node in nodes { watchers[slot].selected.insert(node) }
      }
    case .rule(let view, let slot):
      replaceView(view, at: slot)
    case .views(let view, let aside, let slot):
      restoreViews(view, aside: aside, at: slot)
    }
  }

  /// Replaces a view by one with another rule.
  mutating func replaceView(_ view: View<Width>, at slot: Int) {
    indexes.retain(for: view.rule, of: forest)
    indexes.release(for: watchers[slot].view.rule)
    watchers[slot].view = view
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
    transaction?.readings.insert(node, Self.reading(of: node, in: forest))
  }

  static func reading(of node: NodeID, in forest: borrowing Forest<Width>) -> Reading {
    Reading(
      object: forest[node].object,
      childState: forest[node].childState,
      childCount: forest[node].childCount,
      hint: forest.hints[node]
    )
  }
}
