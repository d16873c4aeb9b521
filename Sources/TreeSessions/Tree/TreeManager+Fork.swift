import TreeDomain
import TreeEngine

/// The facts about copies of a tree, and about the tree that it is a copy of.
struct TreeCopying {
  /// The end of a change that was made on a copy.
  struct PendingCommit {
    var isData: Bool
    /// The session that made the change; `nil` if none did, or it changed nothing.
    var author: SessionID?
  }

  /// True for a copy.
  var isCopy = false
  /// The amounts of the original that a copy shares, which count once.
  var shared = TreeUsage()
  /// The end of the change that was made on a copy; `nil` before there is one.
  var pending: PendingCommit?
  /// The durability that answers from a copy have to wait for.
  var durability = Durability()
  /// The number of changes so far; a copy has those of the moment when it was made.
  var changes = 0
  /// Tells the tree that a copy was made of from the same tree read again.
  var original: LiveExports?
  /// The place to publish a copy before a large write; `nil` where nobody would read it.
  var published: TreeCopies?
  /// True if the call is known to take long, though what it names is little.
  var isLongCall = false
}

// Copies to read from, and to try changes on, while the tree itself goes on.
extension TreeManager {
  /// Returns an independent copy of the tree with copies of some of its sessions.
  ///
  /// It shares the tree's memory, each chunk until the tree or the copy changes it. It has no
  /// journal, no followers and a meter of its own. A change ends there with its commit pending.
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
    filters = other.filters
    dataCommits = DataCommits(other.dataCommits)
    copying.isCopy = true
    copying.shared = other.counted
    copying.durability = other.pendingDurability
    copying.changes = other.copying.changes
    copying.original = other.exports
    for session in sessions {
      self.sessions[session.id] = OpenSession(copying: session, on: dataCommits)
    }
  }

  /// Counts what a copy holds beside its original no more.
  mutating func uncountCopy() {
    usage.replace(counted, by: copying.shared)
    counted = copying.shared
  }

  /// Publishes a copy of the tree if the write that is about to begin is not small.
  ///
  /// - Complexity: O(*s*) for *s* sessions that are awake.
  func publishCopy(before size: @autoclosure () -> WorkSize) {
    guard let published = copying.published, !meter.isSmall,
      copying.isLongCall || !size().isSmall(limits)
    else { return }
    published.publish(TreeCopy(fork(with: sessions.values)))
  }

  /// Returns true if a tree is as it was when this copy of it was made, after so many changes.
  func isCopy(of tree: borrowing TreeManager, after changes: Int) -> Bool {
    copying.original === tree.exports && tree.copying.changes == changes && !tree.hasEnded
  }

  /// Takes over a change that was made on a copy, and commits it.
  ///
  /// The former state is left to the copy.
  ///
  /// - Precondition: The tree is as it was when the copy was made, with all its sessions.
  mutating func install(_ copy: inout TreeManager) {
    guard let pending = copy.copying.pending.take() else {
      preconditionFailure("a copy without a change is installed")
    }
    swap(&tree, &copy.tree)
    before = copy.before
    sort = copy.sort
    sorted = copy.sorted
    sections = copy.sections
    namedSections = copy.namedSections
    sectionCount = copy.sectionCount
    let author = pending.author.flatMap { sessions[$0] }
    if let author, let changed = copy.sessions[author.id] { author.options = changed.options }
    copying.changes += 1
    commit(isData: pending.isData, author: author)
  }
}
