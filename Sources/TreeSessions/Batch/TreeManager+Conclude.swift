import TreeDomain
import TreeEngine

// The end of a transaction: who was changed by it, who is told, which revisions it takes.
extension TreeManager {
  /// Ends a session's transaction.
  ///
  /// - Parameters:
  ///   - session: The session whose operations they were.
  ///   - options: The options of the answer.
  ///   - hasNewOptions: True if an option of the session was changed, too.
  ///   - traits: Facts about the operations that the answer tells.
  ///   - announce: Called as soon as it is certain that the tree is changed. To tell what that did
  ///     to the rows may take as long as to write it to the disk.
  /// - Returns: The changes for the session; for a dry run, those that there would have been.
  /// - Throws: What the meter does; the transaction is undone then.
  mutating func conclude(
    by session: OpenSession,
    _ options: BatchOptions,
    hasNewOptions: Bool = false,
    _ traits: AnswerTraits = AnswerTraits(),
    _ announce: LockedTree.Announcement = { _, _ in }
  ) throws(ServiceError) -> BatchAnswer {
    do throws(ServiceError) {
      let (list, unloaded) = try settled(by: session, options)
      let isData = tree.hasDataChanges || sort != before.sort
      // A small answer is written while its entry is on its way: it must not be stopped then.
      let mayStop = !meter.isSmall
      if isData, !options.isDryRun, !mayStop { announce(&self, treeRevision.next) }
      let isChanged = isData || hasNewOptions || hasViewChanges(session)
      let revisions = AnswerRevisions(
        previous: session.revision,
        now: isChanged ? session.revision.next : session.revision,
        tree: isData ? treeRevision.next : treeRevision
      )
      let answer = try answer(
        list,
        for: session,
        revisions,
        sectionsBefore: before.sections,
        unloaded: unloaded,
        traits: traits,
        options,
        mayStop ? meter : nil
      )
      if options.isDryRun {
        undo()
      } else {
        if isData, mayStop { announce(&self, treeRevision.next) }
        commit(isData: isData, author: isChanged ? session : nil)
      }
      return answer
    } catch {
      undo()
      throw error
    }
  }

  /// Brings the rows of all sessions up to date, and reads out what changed, while everything can
  /// still be undone.
  ///
  /// - Returns: The change list of the session, and the nodes expanded whose children nobody
  ///   supplied.
  /// - Throws: What the meter does, and as ``demand(_:)``.
  private mutating func settled(
    by session: OpenSession,
    _ options: BatchOptions
  ) throws(ServiceError) -> (list: ChangeList, unloaded: [NodeID]) {
    try settleAll(and: session)
    try checkUndo()
    try meter.count(tree.transactionSteps)
    let list = try changes(of: session, isListed: options.format != .none, meter)
    if meter.isSmall {
      // A longer list is written as ranges.
      let isListed = options.format == .rows && list.list.rowEntryCount <= limits.maxChanges
      if isListed { try demand(nodes: list.list.rowEntryCount) }
    }
    return list
  }

  /// Reads out what the running transaction has done to a session's rows.
  private func changes(
    of session: OpenSession,
    isListed: Bool,
    _ meter: WorkMeter
  ) throws(ServiceError) -> (list: ChangeList, unloaded: [NodeID]) {
    try counted(by: meter) { tree, count throws(Interruption) in
      let list = isListed ? try tree.changes(of: session.view, counting: count) : ChangeList()
      return (list, try tree.expandedUnloaded(in: session.view, counting: count))
    }
  }

  /// Ends the transaction of a batch that no session sent.
  ///
  /// - Throws: What the meter does; the transaction is undone then.
  mutating func concludeData(
    applied: Int,
    _ options: BatchOptions
  ) throws(ServiceError) -> TreeBatchAnswer {
    do throws(ServiceError) {
      try settleAll()
      try checkUndo()
      try meter.count(tree.transactionSteps)
    } catch {
      undo()
      throw error
    }
    let isData = tree.hasDataChanges
    let answer = TreeBatchAnswer(
      tree: id,
      previousRevision: treeRevision,
      revision: isData ? treeRevision.next : treeRevision,
      nodeCount: nodeCount,
      applied: applied
    )
    if options.isDryRun { undo() } else { commit(isData: isData, author: nil) }
    return answer
  }

  /// Keeps what the transaction did, counts it, and tells followers.
  ///
  /// What spends no revision leaves nothing behind: there is no entry of it in the journal either,
  /// so that a tree that is read again would not know it.
  mutating func commit(isData: Bool, author: OpenSession?) {
    if copying.isCopy {
      copying.pending = .init(isData: isData, author: author?.id)
      return
    }
    // Who is told of what changed must not read any more how it was before.
    copying.published?.withdraw()
    let isChange = isData || author != nil
    if isChange { changeCount += 1 }
    if isData {
      for session in sessions.values {
        meter.pause()
        let origin = session === author ? ChangeOrigin.own : .other
        tell(followersOf: session, of: origin, treeRevision: treeRevision.next)
      }
    } else if let author {
      tell(followersOf: author, of: .own, treeRevision: treeRevision)
    }
    tree.commit(isRemembered: isChange)
    if isData {
      dataCommits.append(tree.commitNumber, keeping: limits.history.commits)
      author?.revisions.noteAuthored(keeping: limits.history.commits)
    } else {
      author?.revisions.advance(to: tree.commitNumber, keeping: limits.history.commits)
    }
    logSections()
    if let author {
      charge(author)
      shareFilter(of: author)
    }
    countUsage()
  }

  /// Tells the followers of a session what the running transaction changed for it.
  private func tell(
    followersOf session: OpenSession,
    of origin: ChangeOrigin,
    treeRevision: Revision
  ) {
    guard !session.followerGroups.isEmpty else { return }
    let revisions = AnswerRevisions(
      previous: session.revision,
      now: session.revision.next,
      tree: treeRevision,
      origin: origin
    )
    let isListed = session.followerGroups.contains { $0.options.format != .none }
    let durability = journal?.running ?? Durability()
    // Nothing can be undone any more.
    let meter = meter.withoutStops()
    do throws(ServiceError) {
      let (list, unloaded) = try changes(of: session, isListed: isListed, meter)
      for group in session.followerGroups {
        guard group.followers.contains(where: \.wantsEvents) else { continue }
        let answer = try answer(
          list,
          for: session,
          revisions,
          sectionsBefore: before.sections,
          unloaded: unloaded,
          group.options,
          meter
        )
        for follower in group.followers where follower.wantsEvents {
          follower.add(answer, until: durability)
        }
      }
    } catch {
      preconditionFailure("a meter without stops throws nothing")
    }
    for group in session.followerGroups {
      for follower in group.followers where follower.noteRevision() {
        follower.notify(when: durability)
      }
    }
  }

  private func hasViewChanges(_ session: OpenSession) -> Bool {
    tree.hasExpansionChanges(in: session.view) || tree.hasSelectionChanges(in: session.view)
      || tree.hasLayerChanges(in: session.view)
  }
}

/// Facts about the operations of a batch that its answer tells besides the changes.
struct AnswerTraits {
  /// True if one of them was a put that made a node.
  var hasCreatedNode = false
  /// The key whose row the answer places; `nil` for none.
  var revealedKey: ArraySlice<UInt8>?
}
