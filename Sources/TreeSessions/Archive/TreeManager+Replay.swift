import JSON
import TreeDomain
import TreeEngine

// Applying the entries of a journal to the tree.
extension TreeManager {
  /// Applies an entry again.
  ///
  /// - Throws: ``StorageError/damaged(_:)`` if the entry does not fit the tree.
  mutating func replay(_ stored: StoredEntry, _ entry: JournalEntry) throws(StorageError) {
    do throws(ServiceError) {
      try forgetAnswer(for: entry)
      if !wasTooDeep(stored, entry) { _ = try replay(entry) }
    } catch {
      // A refusal has an entry only if it was kept for retries.
      guard entry.options.idempotency != nil, error.code.isOfApplying else {
        throw .damaged("entry \(stored.number) cannot have happened: \(error.detail)")
      }
    }
    guard Int(treeRevision.number) == stored.revision, nodeCount == stored.nodeCount else {
      throw .damaged("entry \(stored.number) does not lead to what it says")
    }
  }

  /// Forgets the answer for the idempotency key of an entry.
  ///
  /// The entry exists, so the key was unknown when the entry was written. An earlier answer was
  /// forgotten by then, even if today's limits would keep it.
  private mutating func forgetAnswer(for entry: JournalEntry) throws(ServiceError) {
    guard let token = entry.options.idempotency?.token else { return }
    guard let id = entry.session else { return retries.forget(token, of: nil, in: &content) }
    let session = try session(id)
    retries.forget(token, of: session, in: &content)
  }

  /// Returns true if an entry records a refusal because of depth, which older programs wrote.
  ///
  /// Replaying has no limit of depth, so the nodes would be inserted now.
  private mutating func wasTooDeep(_ stored: StoredEntry, _ entry: JournalEntry) -> Bool {
    guard entry.options.idempotency != nil, !entry.event.isOfView,
      stored.revision == Int(treeRevision.number)
    else { return false }
    var trial = entry
    trial.options.isDryRun = true
    guard let revision = try? replay(trial) else { return false }
    return revision != treeRevision
  }

  /// - Returns: The tree's revision after the entry.
  private mutating func replay(_ entry: JournalEntry) throws(ServiceError) -> Revision {
    switch (entry.event, entry.session) {
    case (.openSession(let new), let id?): _ = try open(id, new)
    case (.closeSession, let id?): _ = try close(id)
    case (.batch(let batch), let id?):
      return try apply(batch, by: session(id), entry.options, at: entry.time).treeRevision
    case (.batch(let batch), nil):
      return try apply(batch, entry.options, at: entry.time).revision
    case (.patch(let patch), let id?):
      _ = try self.patch(session(id), patch, entry.options, at: entry.time)
    case (.importNodes(let nodes), nil):
      let forest = try ImportForest(nodes, counting: meter.count)
      return try importNodes(forest, entry.options, at: entry.time).revision
    default: throw ServiceError(.internalError, "it names what is not there")
    }
    return treeRevision
  }

  // MARK: Memory while the tree is read

  /// Makes sure that there is memory to replay an entry.
  ///
  /// Puts all sessions to sleep if that is necessary.
  ///
  /// - Parameters:
  ///   - entry: The entry.
  ///   - bytes: The size of its text in bytes.
  /// - Returns: False if there is not enough memory.
  mutating func makeRoom(toReplay entry: JournalEntry, of bytes: Int) -> Bool {
    if content.account.usage.memory.hasRoom(for: self.bytes(toReplay: entry, of: bytes)) {
      return true
    }
    // No client uses the sessions while the tree is read.
    _ = putToSleep(Array(sessions.keys), unusedSince: .max, naming: .max)
    return content.account.usage.memory.hasRoom(for: self.bytes(toReplay: entry, of: bytes))
  }

  /// Returns an upper estimate of the memory that replaying an entry takes, in bytes.
  private func bytes(toReplay entry: JournalEntry, of bytes: Int) -> Int {
    var bytes = 2 * bytes
    switch entry.event {
    case .openSession(let new): bytes += content.bytes(of: new)
    case .importNodes(let nodes):
      bytes += EngineTree.byteCount(ofNodes: nodes.nodeCount) + nodes.byteCount
    case .patch(let patch):
      if let session = entry.session.flatMap({ sessions[$0] }) {
        bytes += content.bytes(of: patch, for: session)
      }
    case .makeTree, .closeSession, .batch: break
    }
    guard let sleeping = entry.session.flatMap({ asleep.sessions[$0] }) else { return bytes }
    return bytes + content.bytes(waking: sleeping.options.options, naming: sleeping.state.nodeCount)
  }

  // MARK: Revisions after a backup was restored or changes were lost; see Generations

  /// The highest revision of the tree and its sessions.
  ///
  /// - Complexity: O(sessions).
  var highestRevision: Revision {
    let commits = content.dataCommits.count
    let awake = sessions.values.lazy.map(\.revision)
    let sleeping = asleep.sessions.values.lazy.map { $0.revision(after: commits) }
    return max(treeRevision, awake.max() ?? treeRevision, sleeping.max() ?? treeRevision)
  }

  /// Continues the tree and its sessions at the first revision of a generation, unless the tree has
  /// reached it.
  ///
  /// Earlier changes are forgotten. Answers for retries stay, with their old revisions, because
  /// their requests were applied and must not be applied again.
  mutating func enter(generation start: Revision) {
    guard treeRevision < start else { return }
    content.dataCommits.goOn(at: start.number)
    for session in sessions.values {
      session.revisions = RevisionLog(
        goingOnAt: start,
        commit: content.tree.commitNumber,
        content.dataCommits
      )
    }
    asleep.goOnAtTreeRevision()
  }

  /// Applies limits from now on.
  mutating func keep(to limits: SessionLimits) {
    content.limits = limits
    content.tree.maxDepth = limits.maxDepth + 1
  }

  // MARK: Snapshots

  /// A lower bound of the size of a snapshot in bytes: keys, objects, and some bytes for each node.
  private var leastSnapshotBytes: Int { content.tree.usedByteCount + 16 * nodeCount }

  /// Returns an estimate of the size of a snapshot, given that of the last one.
  ///
  /// Removed nodes may make the next one much smaller.
  func likelySnapshotBytes(before: Int) -> Int {
    let least = leastSnapshotBytes
    return max(least, min(before, 4 * least + 1 << 20))
  }

  /// True if a snapshot would free much space.
  ///
  /// Removed nodes stay in entries and in the last snapshot until the next snapshot.
  var wouldShrink: Bool {
    guard let journal, !journal.isWritingSnapshot else { return false }
    return journal.snapshotBytes + journal.entryBytes > 2 * leastSnapshotBytes + 2 << 20
  }
}

extension JournalEntry.Event {
  /// True if the event does not change the tree itself.
  fileprivate var isOfView: Bool {
    switch self {
    case .batch(let batch): !batch.operations.contains(where: \.changesData)
    case .patch, .openSession, .closeSession: true
    case .makeTree, .importNodes: false
    }
  }
}

extension SessionLimits {
  /// The limits for replaying.
  ///
  /// Everything that was once accepted is accepted again, but no more is remembered than today's
  /// limits allow.
  var forReplay: SessionLimits {
    var limits = self
    limits.maxNodesPerTree = .max
    limits.maxSections = .max
    limits.maxSectionNameBytes = .max
    limits.maxUndoBytes = .max
    limits.maxExpansionRulesPerTree = .max
    limits.maxViewSortsPerTree = .max
    limits.maxMemoryBytes = .max
    limits.maxDepth = 1 << 30
    limits.maxJSONDepth = .max
    limits.maxObjectBytes = .max
    return limits
  }
}

extension StoredSnapshot {
  /// The estimated memory of the tree in the snapshot, without the rows of filters, in bytes.
  var likelyBytes: Int { nodeCount * 48 + parts * SnapshotWriter.partBytes }
}

extension Usage {
  /// The error if there is not enough memory to read a tree.
  var tooLarge: StorageError {
    .tooLarge("the service would hold more than \(memory.limit) bytes (`maxMemoryBytes`)")
  }
}

// The answer to a change that was made on a copy, after other changes were replayed before it.
extension TreeManager {
  /// Writes the answer to the change of this copy again, after other changes were replayed before
  /// it.
  ///
  /// - Throws: The errors of the meter.
  mutating func answerAgain(
    to session: OpenSession,
    _ options: BatchOptions
  ) throws(ServiceError) -> BatchAnswer {
    var answer = try listAgain(to: session, options)
    if options.replayKey != nil, answer.text == nil {
      answer.text = JSONWriter.text { answer.write(to: &$0) }
    }
    return answer
  }

  /// Writes the answer to a patch that was made on this copy again; see ``answerAgain(to:_:)``.
  ///
  /// - Throws: The errors of the meter.
  mutating func answerAgain(
    toPatchOf session: OpenSession,
    _ options: BatchOptions
  ) throws(ServiceError) -> PatchAnswer {
    let list = try listAgain(to: session, options)
    var answer = PatchAnswer(description(of: session), list)
    answer.description.setRevisions(of: list)
    if options.replayKey != nil {
      answer.list.text = JSONWriter.text { answer.write(to: &$0) }
    }
    return answer
  }

  private func listAgain(
    to session: OpenSession,
    _ options: BatchOptions
  ) throws(ServiceError) -> BatchAnswer {
    let (list, unloaded) = try changes(
      of: session,
      isListed: options.format != .none,
      content.meter
    )
    return try ChangeReading(of: session, options, content.meter).answer(
      list,
      pendingRevisions(of: session),
      sectionsBefore: content.sections.before,
      unloaded: unloaded,
      traits: copying.pending?.traits ?? AnswerTraits(),
      in: content
    )
  }

  /// Returns the revisions before and after the change of this copy.
  func pendingRevisions(of session: OpenSession) -> AnswerRevisions {
    guard let pending = copying.pending else { preconditionFailure("no change was made") }
    return AnswerRevisions(
      previous: session.revision,
      now: pending.author != nil ? session.revision.next : session.revision,
      tree: pending.isData ? content.treeRevision.next : content.treeRevision
    )
  }

  /// Returns the answer to a change that was sent to the tree, as ``answerAgain(to:_:)`` does for
  /// a session.
  func answerAgain(applied: Int) -> TreeBatchAnswer {
    TreeBatchAnswer(
      tree: id,
      previousRevision: content.treeRevision,
      revision: copying.pending?.isData == true ? content.treeRevision.next : content.treeRevision,
      nodeCount: content.nodeCount,
      applied: applied
    )
  }
}
