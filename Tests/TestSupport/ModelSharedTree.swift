/// The outcome of a batch.
package struct ModelOutcome: Sendable {
  /// True if nodes, objects or their order differ after the batch.
  package var treeChanged = false
  /// True if anything readable differs after the batch: the tree, an expansion or an option.
  package var stateChanged = false
  /// True if an operation changed the tree, even if a later one reverted it.
  package var treeTouched = false
  /// True if an operation changed anything, including the expansion rule for future nodes.
  package var stateTouched = false
  /// True if the expansion rule for future nodes differs after the batch.
  package var ruleChanged = false
  /// The rows that the change list may show as moved.
  package var moves = ModelMoves()
  /// The identities of nodes that operations moved, and of their descendants.
  package var relocated: Set<Int> { moves.relocated }
}

/// A tree and its sessions.
package final class ModelSharedTree {
  /// The tree; a successful batch replaces it.
  var tree: ModelTree
  /// The initial revision plus the number of batches that changed the tree.
  package private(set) var revision: Int
  /// The sessions in use, in the order of their creation.
  package var sessions: [ModelSession] { members.compactMap(\.session) }

  private struct Member {
    weak var session: ModelSession?
  }

  private var members: [Member] = []

  /// Creates a tree with the sections, sort and nodes of the options.
  ///
  /// - Parameter revision: The initial revision, which is above that of a deleted tree of the same
  ///   name.
  /// - Throws: ``ModelError`` if a key occurs twice or a section does not exist.
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

  /// Creates a tree in the same state without sessions. The content is copied when it changes.
  init(sharing other: ModelSharedTree) {
    revision = other.revision
    tree = other.tree
  }

  func add(_ session: ModelSession) {
    members.append(Member(session: session))
  }

  /// Applies all operations of a session, or of the tree itself, or none.
  ///
  /// - Parameter isDryRun: True if nothing is kept.
  /// - Returns: The outcome, and the state of the session after the batch.
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
      states.record(work)
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
    states.record(work)
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
        session.update(
          to: work.views[index],
          moves: moves,
          isOwn: index == work.actor,
          spends: isOwn || outcome.treeChanged
        )
      }
    }
    // With a filter, fewer moves can be enough than among all siblings.
    if states.wereFiltered { outcome.moves.isFewest = false }
    if work.actor.map({ !work.views[$0].viewSort.isEmpty }) == true {
      outcome.moves.include(work.updated)
      outcome.moves.isFewest = false
    }
    return (outcome, after)
  }
}

/// The states of a tree and a view during a batch.
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

  /// True if the acting session had a filter before or has one after the batch.
  var wereFiltered: Bool { before.view?.filter != nil || last.view?.filter != nil }

  func record(_ work: ModelWork) {
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
