import TreeDomain
import TreeEngine

// Revisions after a backup was restored or changes were lost; see ``Generations``.
extension TreeManager {
  /// The highest revision of the tree and its sessions.
  ///
  /// - Complexity: O(sessions).
  var highestRevision: Revision {
    let commits = dataCommits.count
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
    dataCommits.goOn(at: start.number)
    for session in sessions.values {
      session.revisions = RevisionLog(goingOnAt: start, commit: tree.commitNumber, dataCommits)
    }
    asleep.goOnAtTreeRevision()
  }
}
