import TreeDomain
import TreeEngine

/// The part of a tree's state that concerns copying, in a copy or in its original.
struct TreeCopying {
  /// A change that was made on a copy, and that is committed when the copy is installed.
  struct PendingCommit {
    var isData: Bool
    /// The session that made the change; `nil` if it was sent to the tree or changed nothing.
    var author: SessionID?
    /// True if the session is new.
    var isOpening = false
    /// Further facts for the answer.
    private(set) var traits = AnswerTraits()

    /// Sets the further facts for the answer.
    mutating func describe(_ traits: AnswerTraits) { self.traits = traits }
  }

  /// True for a copy.
  var isCopy = false
  /// The amounts that a copy shares with its original, which count only once.
  var shared = TreeUsage()
  /// The change that was made on this copy; `nil` if there is none yet.
  var pending: PendingCommit?
  /// The durability for which answers from this copy wait.
  var durability = Durability()
  /// The number of changes so far.
  ///
  /// A copy has the number from when it was made.
  var changes = 0
  /// The identity of the original.
  ///
  /// A tree that is read from storage again has another identity.
  var original: LiveExports?
  /// The log of changes for a copy on which a long change is prepared; `nil` if there is none.
  weak var log: ChangeLog?
  /// The request of the running change, if there is a log.
  var request: JournalEntry?
  /// The change that is being replayed on this copy; `nil` once it is committed.
  var replay: ReplayedChange?
  /// The place to publish a copy before a large write; `nil` if nobody would read it.
  var published: TreeCopies?
  /// The description that others read without the lock; `nil` for a copy.
  var shown: ShownTree?
  /// True if an earlier attempt at the call took too long, even if its estimated size is small.
  var isLongCall = false
}

// Copies for reads and for preparing changes, while the tree itself changes.
extension TreeManager {
  /// Returns an independent copy of the tree with copies of some of its sessions.
  ///
  /// The tree and the copy share each chunk of memory until one of them changes it. The copy has no
  /// journal, no followers, and a meter of its own. A change of it ends with a pending commit.
  ///
  /// - Precondition: No transaction is running, and the tree has not ended.
  /// - Complexity: O(*s*) for *s* copied sessions.
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
    viewSorts = other.viewSorts
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

  /// Stops counting the memory that a copy has in addition to its original.
  mutating func uncountCopy() {
    usage.replace(counted, by: copying.shared)
    counted = copying.shared
  }

  /// Publishes a copy of the tree if the following write is not small.
  ///
  /// - Complexity: O(*s*) for *s* awake sessions.
  func publishCopy(before size: @autoclosure () -> WorkSize) {
    guard let published = copying.published, !meter.isSmall,
      copying.isLongCall || !size().isSmall(limits)
    else { return }
    published.publish(TreeCopy(fork(with: sessions.values)))
  }

  /// Returns true if a tree has not changed since this copy of it was made.
  ///
  /// - Parameters:
  ///   - tree: The tree.
  ///   - changes: The tree's count of changes when the copy was made.
  /// - Returns: False also if the tree has ended, or was read again.
  func isCopy(of tree: borrowing TreeManager, after changes: Int) -> Bool {
    copying.original === tree.exports && tree.copying.changes == changes && !tree.hasEnded
  }

  /// Replaces the content of the tree by that of a copy, and commits the copy's change.
  ///
  /// The former content remains in the copy.
  ///
  /// - Precondition: The tree has not changed since the copy was made, or its changes were replayed
  ///   on the copy. The copy has all its sessions. If the change opens a session, the tree has none
  ///   of this id.
  mutating func install(_ copy: inout TreeManager) {
    guard let pending = copy.copying.pending.take() else {
      preconditionFailure("a copy without a change is installed")
    }
    // The commit takes long if much was changed.
    let weight = copy.tree.transactionWeight
    copy.tree.freeReservedNodes()
    publishCopy(before: WorkSize(bytes: weight))
    swap(&tree, &copy.tree)
    before = copy.before
    sort = copy.sort
    sorted = copy.sorted
    viewSorts = copy.viewSorts
    sections = copy.sections
    namedSections = copy.namedSections
    sectionCount = copy.sectionCount
    copying.changes += 1
    let changed = pending.author.flatMap { copy.sessions[$0] }
    if pending.isOpening, let changed {
      return commit(opening: OpenSession(changed, on: dataCommits))
    }
    let author = pending.author.flatMap { sessions[$0] }
    if let author, let changed { author.options = changed.options }
    commit(isData: pending.isData, author: author)
  }
}
