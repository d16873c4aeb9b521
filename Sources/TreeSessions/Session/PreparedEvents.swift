import TreeDomain
import TreeEngine

/// The events of a change that was made on a copy of the tree, for the followers of its sessions.
///
/// They are made before the tree is locked, because the list of many rows takes long.
struct PreparedEvents {
  /// The options of followers that want events, by session.
  private var wanted: [SessionID: [BatchOptions]] = [:]
  private var known: [SessionID: [(options: BatchOptions, answer: BatchAnswer)]] = [:]
  /// The memory of the events in bytes, those that were forgotten included.
  private var weight = 0

  init() {}

  /// Notes the followers of a tree that is copied.
  ///
  /// - Complexity: O(followers).
  init(for sessions: borrowing OpenSessions) {
    for session in sessions.withFollowers {
      let groups = session.followerGroups.filter { $0.followers.contains(where: \.wantsEvents) }
      if !groups.isEmpty { wanted[session.id] = groups.map(\.options) }
    }
  }

  /// Makes the events that are not known.
  ///
  /// Together they take about as much memory as the largest answer. The others are made when the
  /// change is committed.
  ///
  /// - Throws: The errors of the meter.
  mutating func complete(on copy: borrowing TreeManager) throws(ServiceError) {
    guard let pending = copy.copying.pending else { return }
    for (id, options) in wanted where known[id] == nil && (pending.isData || pending.author == id) {
      guard let session = copy.sessions[id], weight < copy.limits.maxAnswerBytes else { continue }
      let isListed = options.contains { $0.format != .none }
      let (list, unloaded) = try copy.changes(of: session, isListed: isListed, copy.meter)
      var events: [(options: BatchOptions, answer: BatchAnswer)] = []
      for options in options {
        let answer = try ChangeReading(of: session, options, copy.meter).answer(
          list,
          copy.pendingRevisions(of: session),
          sectionsBefore: copy.content.sections.before,
          unloaded: unloaded,
          in: copy.content
        )
        weight += answer.weight
        events.append((options, answer))
      }
      known[id] = events
    }
  }

  /// Forgets the events of sessions whose rows were changed by changes that were replayed.
  mutating func forget(after changes: [ChangeLog.Change], on copy: borrowing TreeManager) {
    for id in known.keys {
      let isAffected = copy.sessions[id].map { session in
        changes.contains { copy.content.tree.showsEffect(of: $0.record, in: session.view) }
      }
      if isAffected != false { known[id] = nil }
      known[id]?.removeAll { $0.options.includedRows > 0 }
    }
  }

  /// Returns the event of a session for followers with given options; nil if it is not known.
  func answer(
    of session: SessionID,
    for options: BatchOptions,
    _ revisions: AnswerRevisions,
    _ nodeCount: Int
  ) -> BatchAnswer? {
    guard var answer = known[session]?.first(where: { $0.options == options })?.answer else {
      return nil
    }
    answer.changeHead { head in
      head.previousRevision = revisions.previous
      head.revision = revisions.now
      head.treeRevision = revisions.tree
      head.origin = revisions.origin
      head.nodeCount = nodeCount
    }
    return answer
  }
}
