import TreeDomain
import TreeEngine

// The tree after a backup was restored; see ``Generations``.
extension TreeManager {
  /// Continues the tree and its sessions at the first revision of a generation, unless they are in
  /// it already.
  ///
  /// Earlier changes are not told any more. Answers that are kept for retries stay, with their
  /// revisions of before: the requests they are for were done, and are not done again.
  mutating func enter(generation start: Revision) {
    guard treeRevision < start else { return }
    dataCommits.goOn(at: start.number)
    for session in sessions.values {
      session.revisions = RevisionLog(goingOnAt: start, commit: tree.commitNumber, dataCommits)
    }
    asleep.goOnAtTreeRevision()
  }
}
