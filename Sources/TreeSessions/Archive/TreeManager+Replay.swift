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
    guard let id = entry.session else { return forgetAnswer(to: token, of: nil) }
    forgetAnswer(to: token, of: try session(id))
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

  /// Applies limits from now on.
  mutating func keep(to limits: SessionLimits) {
    self.limits = limits
    tree.maxDepth = limits.maxDepth + 1
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
