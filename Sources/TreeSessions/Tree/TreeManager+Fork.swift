import TreeDomain
import TreeEngine

// Copies to read from, while the tree itself goes on.
extension TreeManager {
  /// Returns an independent copy of the tree with copies of some of its sessions.
  ///
  /// It shares the tree's memory, each chunk until the tree changes it. It is there to be read, and
  /// to try changes: it has no journal, no followers, and a meter of its own. What it holds counts
  /// for the tree alone.
  ///
  /// - Precondition: No transaction is running, and the tree has not ended.
  /// - Complexity: O(*s*) for *s* sessions copied.
  func fork(with sessions: some Sequence<OpenSession>) -> TreeManager {
    precondition(!hasEnded, "a tree that has ended is not read")
    return TreeManager(forking: self, sessions)
  }

  private init(forking other: borrowing TreeManager, _ sessions: some Sequence<OpenSession>) {
    id = other.id
    isPrivate = other.isPrivate
    limits = other.limits
    usage = other.usage
    counted = other.counted
    replayBytes = other.replayBytes
    tree = other.tree.fork()
    sort = other.sort
    sorted = other.sorted
    sections = other.sections
    namedSections = other.namedSections
    formerSections = other.formerSections
    sectionCount = other.sectionCount
    time = other.time
    replays = other.replays
    dataCommits = DataCommits(other.dataCommits)
    for session in sessions {
      self.sessions[session.id] = OpenSession(copying: session, on: dataCommits)
    }
  }
}
