import TreeDomain
import TreeEngine

// The end of a transaction: who was changed by it, who is told, which revisions it takes.
extension TreeManager {
  /// Ends a session's transaction.
  ///
  /// - Parameters:
  ///   - session: The session whose operations they were.
  ///   - options: How to answer.
  ///   - hasNewOptions: Whether an option of the session was changed, too.
  ///   - traits: What else the answer tells of the operations.
  ///   - announce: What is to be done as soon as it is known that the tree is changed: to tell what
  ///     that did to the rows may take as long as to write it to the disk.
  /// - Returns: What changed for the session; for a dry run, what would have.
  /// - Throws: What the meter does; the transaction is undone then.
  mutating func conclude(
    by session: OpenSession,
    _ options: BatchOptions,
    hasNewOptions: Bool = false,
    _ traits: AnswerTraits = AnswerTraits(),
    _ announce: LockedTree.Announcement = { _, _ in }
  ) throws(ServiceError) -> BatchAnswer {
    let isData = tree.hasDataChanges || sort != before.sort
    let list = try settled(by: session, options)
    // From here on nothing is thrown.
    if isData, !options.isDryRun { announce(&self, treeRevision.next) }
    let isChanged = isData || hasNewOptions || hasViewChanges(session)
    let revisions = AnswerRevisions(
      previous: session.revision,
      now: isChanged ? session.revision.next : session.revision,
      tree: isData ? treeRevision.next : treeRevision
    )
    // Last, and with the answer already where the caller wants it: it is large.
    defer {
      if options.isDryRun {
        undo()
      } else {
        commit(isData: isData, author: isChanged ? session : nil)
      }
    }
    return answer(
      list ?? changes(of: session, options),
      for: session,
      revisions,
      sectionsBefore: before.sections,
      unloaded: tree.expandedUnloaded(in: session.view),
      traits: traits,
      options
    )
  }

  /// Brings the rows of all sessions up to date, while everything can still be undone.
  ///
  /// - Returns: The change list of the session, if it was needed to tell that it is short.
  /// - Throws: What the meter does, and as ``demand(_:)``; the transaction is undone then.
  private mutating func settled(
    by session: OpenSession,
    _ options: BatchOptions
  ) throws(ServiceError) -> ChangeList? {
    do throws(ServiceError) {
      try settleAll(and: session)
      guard meter.isSmall, options.format != .none else { return nil }
      let list = changes(of: session, options)
      // A longer list is written as ranges.
      let isListed = options.format == .rows && list.rowEntryCount <= limits.maxChanges
      if isListed { try demand(nodes: list.rowEntryCount) }
      return list
    } catch {
      undo()
      throw error
    }
  }

  private func changes(of session: OpenSession, _ options: BatchOptions) -> ChangeList {
    options.format == .none ? ChangeList() : tree.changes(of: session.view)
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
    if let author { charge(author) }
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
    let list = isListed ? tree.changes(of: session.view) : ChangeList()
    let unloaded = tree.expandedUnloaded(in: session.view)
    let durability = journal?.running ?? Durability()
    for group in session.followerGroups {
      guard group.followers.contains(where: \.wantsEvents) else { continue }
      let answer = answer(
        list,
        for: session,
        revisions,
        sectionsBefore: before.sections,
        unloaded: unloaded,
        group.options
      )
      for follower in group.followers where follower.wantsEvents {
        follower.add(answer, until: durability)
      }
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

  // MARK: Layers

  /// Brings the rows of filtered and breadth-first sessions up to what the transaction did; and of
  /// its author, which may have been one of them until now, and for which what happened is about to
  /// be read out, to be told and to be remembered.
  ///
  /// - Throws: What the meter throws; the caller undoes the transaction then.
  mutating func settleAll(and author: OpenSession? = nil) throws(ServiceError) {
    try settleAll(and: author, meter)
  }

  /// Does the same where nothing can be undone any more.
  mutating func settleUnstopped(and author: OpenSession? = nil) {
    do throws(ServiceError) {
      try settleAll(and: author, meter.withoutStops())
    } catch {
      preconditionFailure("a meter without stops throws nothing")
    }
  }

  private mutating func settleAll(
    and author: OpenSession?,
    _ meter: WorkMeter
  ) throws(ServiceError) {
    var known = KnownMatches()
    try meter.count(sessions.count)
    if tree.hasLayers {
      for session in sessions.values where session.isLayered && session !== author {
        try settle(session, meter, &known)
      }
    }
    if let author { try settle(author, meter, &known) }
  }

  /// Brings the rows of one session up to what the transaction did.
  private mutating func settle(
    _ session: OpenSession,
    _ meter: WorkMeter,
    _ known: inout KnownMatches
  ) throws(ServiceError) {
    // Without a filter nothing is asked.
    let filter = session.options.filter ?? .all([])
    let shared = shared(filter, of: session)
    var matches = known.take(shared)
    defer { known.keep(matches, of: shared) }
    var refusal: ServiceError?
    do throws(Interruption) {
      try tree.settle(session.view) { steps throws(Interruption) in
        do throws(ServiceError) {
          try meter.count(steps)
        } catch {
          refusal = error
          throw Interruption()
        }
      } matches: { tree, node throws(Interruption) in
        do throws(ServiceError) {
          if let isMatch = matches[node] { return isMatch }
          let isMatch = try Self.matches(filter, node, in: tree, meter)
          if shared != nil { matches[node] = isMatch }
          return isMatch
        } catch {
          refusal = error
          throw Interruption()
        }
      }
    } catch {
      throw refusal ?? ServiceError(.internalError, "a step was stopped without a reason")
    }
  }

  /// Returns the filter that a session shares with others; `nil` where it asks about all nodes.
  private mutating func shared(_ filter: Filter, of session: OpenSession) -> SharedFilter? {
    guard session.options.filter != nil, !tree.hasNewLayer(session.view) else { return nil }
    if let known = session.sharedFilter { return known }
    let shared = filters.share(filter)
    session.sharedFilter = shared
    return shared
  }

  /// Returns true if a node is a match of a filter; a section never is.
  ///
  /// - Throws: What the meter throws.
  func matches(_ filter: Filter, _ node: NodeID) throws(ServiceError) -> Bool {
    try Self.matches(filter, node, in: tree, meter)
  }

  static func matches(
    _ filter: Filter,
    _ node: NodeID,
    in tree: borrowing EngineTree,
    _ meter: WorkMeter
  ) throws(ServiceError) -> Bool {
    guard tree.parent(of: node) != .forestRoot else { return false }
    let object = tree.object(of: node)
    let subject = SortOrder.Subject(
      key: tree.key(of: node),
      object: object.isEmpty ? Self.null[...] : object
    )
    return try filter.matches(subject, counting: meter.count)
  }
}

/// Facts about the operations of a batch that its answer tells besides the changes.
struct AnswerTraits {
  /// True if one of them was a put that made a node.
  var hasCreatedNode = false
  /// The key whose row the answer places; `nil` for none.
  var revealedKey: ArraySlice<UInt8>?
}
