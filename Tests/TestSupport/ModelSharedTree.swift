/// What a batch did.
package struct ModelOutcome: Sendable {
  /// Whether nodes, objects or order differ after the batch.
  package var treeChanged = false
  /// Whether anything readable differs after the batch: the tree, an expansion, an option.
  package var stateChanged = false
  /// Whether some operation changed something, though a later one may have undone it.
  package var treeTouched = false
  /// Whether some operation changed something, the rule for nodes to come included.
  package var stateTouched = false
  /// Whether the rule for nodes to come is another one after the batch.
  package var ruleChanged = false
  /// What the change list may show as moves.
  package var moves = ModelMoves()
  /// The identities of nodes that some operation took to another place, with what was below them.
  package var relocated: Set<Int> { moves.relocated }
}

/// A tree, and every session over it.
package final class ModelSharedTree {
  /// Replaced as a whole when a batch succeeds.
  var tree: ModelTree
  /// Counts the batches that changed the tree, on from where it began.
  package private(set) var revision: Int
  /// The sessions that are in use, in the order they were made.
  package var sessions: [ModelSession] { members.compactMap(\.session) }

  private struct Member {
    weak var session: ModelSession?
  }

  private var members: [Member] = []

  /// Makes a tree of the sections, sort and nodes that the options name.
  ///
  /// - Parameter revision: Where it begins: behind the last revision of a tree that was deleted.
  /// - Throws: ``ModelError`` when the nodes repeat a key or name no section.
  package init(_ options: ModelSessionOptions, at revision: Int = 0) throws(ModelError) {
    self.revision = revision
    tree = ModelTree(
      sections: options.sections,
      sort: options.sort,
      maximumDepth: options.maximumDepth
    )
    do {
      for node in options.nodes {
        try tree.insert(node, parent: nil, section: node.section, place: .unspecified)
      }
    } catch {
      throw ModelError(code: error.code, operation: 0)
    }
  }

  init(copying tree: ModelTree, revision: Int) {
    self.tree = tree.copy()
    self.revision = revision
  }

  func add(_ session: ModelSession) {
    members.append(Member(session: session))
  }

  /// Applies all operations of a session, or of the tree itself, or none.
  ///
  /// - Parameter isDryRun: Whether nothing is kept of it.
  /// - Returns: What it did, and what the session sees after it.
  @discardableResult
  package func apply(
    _ operations: [ModelOperation],
    of session: ModelSession? = nil,
    isDryRun: Bool = false
  ) throws(ModelError) -> (outcome: ModelOutcome, after: ModelPicture?) {
    let work = work(of: session)
    let states = States(work)
    for (index, operation) in operations.enumerated() {
      do {
        try work.perform(operation)
      } catch {
        throw ModelError(code: error.code, operation: index)
      }
      states.note(work)
    }
    return finish(work, states, isDryRun)
  }

  /// Changes options of a session.
  func patch(
    _ patch: ModelPatch,
    of session: ModelSession,
    isDryRun: Bool
  ) -> (outcome: ModelOutcome, after: ModelPicture?) {
    let work = work(of: session)
    let states = States(work)
    let (order, viewSort) = (work.view.order, work.view.viewSort)
    work.patch(patch)
    states.note(work)
    states.hasNewOrder = order != work.view.order || viewSort != work.view.viewSort
    return finish(work, states, isDryRun)
  }

  private func work(of session: ModelSession?) -> ModelWork {
    let actor = session.flatMap { session in sessions.firstIndex { $0 === session } }
    return ModelWork(tree: tree, views: sessions.map(\.view), actor: actor)
  }

  private func finish(
    _ work: ModelWork,
    _ states: States,
    _ isDryRun: Bool
  ) -> (outcome: ModelOutcome, after: ModelPicture?) {
    var outcome = states.outcome(of: work)
    let after = work.actor.map { _ in work.reading.picture }
    if !isDryRun {
      tree = work.tree
      revision += outcome.treeChanged ? 1 : 0
      for (index, session) in sessions.enumerated() {
        let isOwn = index == work.actor && (outcome.stateChanged || outcome.ruleChanged)
        var moves = outcome.moves
        if index != work.actor { moves.hasNewOrder = false }
        if !work.views[index].viewSort.isEmpty { moves.include(work.updated) }
        session.become(
          work.views[index],
          moves: moves,
          isOwn: index == work.actor,
          spends: isOwn || outcome.treeChanged
        )
      }
    }
    // Among the rows that a filter leaves, the fewest may be fewer than among all siblings.
    if states.wereFiltered { outcome.moves.isFewest = false }
    if work.actor.map({ !work.views[$0].viewSort.isEmpty }) == true {
      outcome.moves.include(work.updated)
      outcome.moves.isFewest = false
    }
    return (outcome, after)
  }
}

/// The states that a batch went through.
private final class States {
  let before: ModelState
  var last: ModelState
  var treeTouched = false
  var stateTouched = false
  var hasNewOrder = false

  init(_ work: ModelWork) {
    before = ModelState(work.tree, work.actor.map { work.views[$0] })
    last = before
  }

  /// Whether the session that asks had a filter, before or after.
  var wereFiltered: Bool { before.view?.filter != nil || last.view?.filter != nil }

  func note(_ work: ModelWork) {
    let now = ModelState(work.tree, work.actor.map { work.views[$0] })
    treeTouched = treeTouched || now.tree != last.tree
    stateTouched = stateTouched || now != last
    last = now
  }

  func outcome(of work: ModelWork) -> ModelOutcome {
    var outcome = ModelOutcome()
    outcome.treeChanged = last.tree != before.tree
    outcome.stateChanged = last.differs(from: before)
    outcome.treeTouched = treeTouched
    outcome.stateTouched = stateTouched
    outcome.ruleChanged = last.rules != before.rules
    outcome.moves.relocated = work.relocated
    outcome.moves.carried = work.carried
    outcome.moves.isFewest = work.rearranges && work.operationCount <= 1
    outcome.moves.hasNewOrder = hasNewOrder
    return outcome
  }
}
