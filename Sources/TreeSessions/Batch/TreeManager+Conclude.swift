import JSON
import TreeDomain
import TreeEngine

// The end of a transaction: new revisions, the answer, and events for followers.
extension TreeManager {
  /// Ends the transaction of a session.
  ///
  /// - Parameters:
  ///   - session: The session that sent the operations.
  ///   - options: The options of the answer.
  ///   - hasNewOptions: True if an option of the session changed as well.
  ///   - traits: Further facts for the answer.
  ///   - announce: Called as soon as it is certain that data change. Writing a small answer comes
  ///     after that, because it may take as long as writing to the disk.
  /// - Returns: The changes of the session. For a dry run, the changes that there would have been.
  /// - Throws: The errors of the meter. The transaction is rolled back then.
  mutating func conclude(
    by session: OpenSession,
    _ options: BatchOptions,
    hasNewOptions: Bool = false,
    _ traits: AnswerTraits = AnswerTraits(),
    _ announce: LockedTree.Announcement = { _, _ in }
  ) throws(ServiceError) -> BatchAnswer {
    do throws(ServiceError) {
      let (list, unloaded) = try finishedChanges(by: session, options)
      let isData = try content.hasDataChanges() || content.siblings.hasNewSort
      var isChanged = isData || hasNewOptions
      if !isChanged { isChanged = try hasViewChanges(session) }
      // A small answer is written after the announcement, so it must not be interrupted.
      let mayStop = !content.meter.isSmall
      if isData, !options.isDryRun, !mayStop { announce(&self, content.treeRevision.next) }
      let revisions = AnswerRevisions(
        previous: session.revision,
        now: isChanged ? session.revision.next : session.revision,
        tree: isData ? content.treeRevision.next : content.treeRevision
      )
      let reading = ChangeReading(of: session, options, mayStop ? content.meter : nil)
      let answer = try reading.answer(
        list,
        revisions,
        sectionsBefore: content.sections.before,
        unloaded: unloaded,
        traits: traits,
        in: content
      )
      if options.isDryRun {
        undo()
      } else {
        if isData, mayStop { announce(&self, content.treeRevision.next) }
        commit(isData: isData, author: isChanged ? session : nil)
        copying.pending?.describe(traits)
      }
      return answer
    } catch {
      undo()
      throw error
    }
  }

  /// Updates the rows of all sessions, and computes the changes while they can still be rolled
  /// back.
  ///
  /// - Returns: The change list of the session, and the expanded nodes whose children are not
  ///   loaded.
  /// - Throws: The errors of the meter, and those of ``TreeContent/demand(_:)``.
  private mutating func finishedChanges(
    by session: OpenSession,
    _ options: BatchOptions
  ) throws(ServiceError) -> (list: ChangeList, unloaded: [NodeID]) {
    try updateAllRows(and: session)
    try content.checkUndo()
    let list = try changes(of: session, isListed: options.format != .none, content.meter)
    if content.meter.isSmall {
      // A longer list is written as ranges.
      let isListed = options.format == .rows && list.list.rowEntryCount <= content.limits.maxChanges
      if isListed { try content.demand(nodes: list.list.rowEntryCount) }
    }
    return list
  }

  /// Returns the changes that the running transaction made to a session's rows.
  func changes(
    of session: OpenSession,
    isListed: Bool,
    _ meter: WorkMeter
  ) throws(ServiceError) -> (list: ChangeList, unloaded: [NodeID]) {
    try content.tree.counted(by: meter) { tree, count throws(Interruption) in
      let list = isListed ? try tree.changes(of: session.view, counting: count) : ChangeList()
      return (list, try tree.expandedUnloaded(in: session.view, counting: count))
    }
  }

  /// Updates a session's answer to the change of this copy, after others were replayed before it.
  ///
  /// - Returns: False if the other changes may have changed entries or included rows.
  func update(
    _ answer: inout BatchAnswer,
    of id: SessionID,
    _ options: BatchOptions,
    after changes: [ChangeLog.Change]
  ) -> Bool {
    guard options.includedRows == 0, let session = sessions[id] else { return false }
    for change in changes where content.tree.showsEffect(of: change.record, in: session.view) {
      return false
    }
    let revisions = pendingRevisions(of: session)
    answer.changeHead { [nodeCount = content.nodeCount] head in
      head.previousRevision = revisions.previous
      head.revision = revisions.now
      head.treeRevision = revisions.tree
      head.nodeCount = nodeCount
    }
    return true
  }

  /// Updates a session's answer to a patch; see ``update(_:of:_:after:)``.
  ///
  /// - Returns: False also if the answer has its text.
  func update(
    _ answer: inout PatchAnswer,
    of id: SessionID,
    _ options: BatchOptions,
    after changes: [ChangeLog.Change]
  ) -> Bool {
    guard answer.list.text == nil, let session = sessions[id],
      update(&answer.list, of: id, options, after: changes)
    else { return false }
    answer.description = description(of: session)
    answer.description.setRevisions(of: answer.list)
    return true
  }

  /// Ends the transaction of a batch that was sent to the tree.
  ///
  /// - Throws: The errors of the meter. The transaction is rolled back then.
  mutating func concludeData(
    applied: Int,
    _ options: BatchOptions
  ) throws(ServiceError) -> TreeBatchAnswer {
    let isData: Bool
    do throws(ServiceError) {
      try updateAllRows()
      try content.checkUndo()
      isData = try content.hasDataChanges()
    } catch {
      undo()
      throw error
    }
    let answer = TreeBatchAnswer(
      tree: id,
      previousRevision: content.treeRevision,
      revision: isData ? content.treeRevision.next : content.treeRevision,
      nodeCount: content.nodeCount,
      applied: applied
    )
    if options.isDryRun { undo() } else { commit(isData: isData, author: nil) }
    return answer
  }

  /// Commits the transaction, advances revisions, and notifies followers.
  ///
  /// Changes without a new revision are not remembered. The journal has no entry of them, so a tree
  /// that is read again does not know them.
  mutating func commit(isData: Bool, author: OpenSession?) {
    if copying.isCopy {
      if copying.replay != nil { return commitReplay(isData: isData, author: author) }
      copying.pending = .init(isData: isData, author: author?.id)
      return
    }
    // Followers that learn of the change must not read the former state any more.
    if sessions.followed.sessions > 0 {
      copying.shown?.outdate()
      if journal?.isEntryPending != true { copying.published?.withdraw() }
    }
    let isChange = isData || author != nil
    if isChange { changeCount += 1 }
    if isData {
      for session in sessions.withFollowers {
        content.meter.pause()
        let origin = session === author ? ChangeOrigin.own : .other
        tell(followersOf: session, of: origin, treeRevision: content.treeRevision.next)
      }
    } else if let author {
      tell(followersOf: author, of: .own, treeRevision: content.treeRevision)
    }
    let meter = content.meter
    content.tree.commit(isRemembered: isChange, changesData: isData) { meter.pass($0) }
    logCommit(isChange: isChange)
    advanceRevisions(isData: isData, author: author)
    content.logSections()
    if let author {
      content.orderings.removeUnused(from: &content.tree)
      content.charge(author)
      sessions.shareFilter(of: author)
    }
    countUsage()
    copying.published?.withdraw()
  }

  /// Advances the revisions of the tree, or of the author alone, to the last commit.
  mutating func advanceRevisions(isData: Bool, author: OpenSession?) {
    if isData {
      content.dataCommits.append(content.tree.commitNumber, keeping: content.limits.history.commits)
      author?.revisions.recordAuthored(keeping: content.limits.history.commits)
    } else {
      author?.revisions.advance(
        to: content.tree.commitNumber,
        keeping: content.limits.history.commits
      )
    }
  }

  /// Queues a session's changes in the running transaction for its followers, and notifies them.
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
    let count = content.nodeCount
    let durability = journal?.running ?? Durability()
    // Nothing can be rolled back any more.
    let meter = content.meter.withoutStops()
    do throws(ServiceError) {
      var read: (list: ChangeList, unloaded: [NodeID])?
      for group in session.followerGroups {
        let followers = group.followers.filter(\.wantsEvents)
        guard let first = followers.first else { continue }
        let answer: BatchAnswer
        if let known = copying.events.answer(of: session.id, for: group.options, revisions, count) {
          answer = known
        } else {
          if read == nil { read = try changes(of: session, isListed: isListed, meter) }
          guard let (list, unloaded) = read else { continue }
          answer = try ChangeReading(of: session, group.options, meter).answer(
            list,
            revisions,
            sectionsBefore: content.sections.before,
            unloaded: unloaded,
            in: content
          )
        }
        let event = first.event(answer)
        for follower in followers { follower.add(event, until: durability) }
      }
    } catch {
      preconditionFailure("a meter without stops throws nothing")
    }
    for group in session.followerGroups {
      for follower in group.followers where follower.recordRevision() {
        follower.notify(when: durability)
      }
    }
  }

  /// Updates the rows of filtered and reordered sessions, and those of the author.
  ///
  /// The author's rows are updated in any case, because it may have had a filter before.
  ///
  /// - Throws: The errors of the meter. The caller rolls the transaction back then.
  mutating func updateAllRows(and author: OpenSession? = nil) throws(ServiceError) {
    var update = RowUpdate(counting: meter)
    try update.apply(to: &sessions, and: author, in: &content)
  }

  /// Updates the rows without interruption, when nothing can be rolled back any more.
  mutating func updateAllRowsUnstopped(and author: OpenSession? = nil) {
    do throws(ServiceError) {
      var update = RowUpdate(counting: meter.withoutStops())
      try update.apply(to: &sessions, and: author, in: &content)
    } catch {
      preconditionFailure("a meter without stops throws nothing")
    }
  }

  private func hasViewChanges(_ session: OpenSession) throws(ServiceError) -> Bool {
    let view = session.view
    return try content.tree.counted(by: content.meter) { tree, count throws(Interruption) in
      if try tree.hasExpansionChanges(in: view, counting: count) { return true }
      if try tree.hasSelectionChanges(in: view, counting: count) { return true }
      return try tree.hasLayerChanges(in: view, counting: count)
    }
  }
}
