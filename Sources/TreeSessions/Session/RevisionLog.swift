import TreeDomain

/// A session's revision, and which of the tree's commits each kept one stands for.
struct RevisionLog: Sendable {
  private(set) var current = Revision(0)
  /// The commit at which each of the newest revisions began, the current one's last.
  private var commits: [Int]

  /// A session that begins at revision 0 after a commit.
  init(startingAt commit: Int) { commits = [commit] }

  /// Counts a commit that changed the session.
  ///
  /// - Parameters:
  ///   - commit: Its number.
  ///   - limit: How many revisions before the new one stay known.
  mutating func advance(to commit: Int, keeping limit: Int) {
    current = current.next
    commits.append(commit)
    // Dropping half of them at a time makes it O(1) on average.
    if commits.count > 2 * (limit + 1) { commits.removeFirst(commits.count - limit - 1) }
  }

  /// The commit after which the session was at a revision; nil where that is not known any more.
  ///
  /// - Precondition: `revision` is not above the current one.
  func commit(at revision: Revision) -> Int? {
    let back = Int(current.number - revision.number)
    return back < commits.count ? commits[commits.count - 1 - back] : nil
  }
}
