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
  /// The events of the change that was made on this copy, or on the copy that is being installed.
  var events = PreparedEvents()
  /// The durability for which answers from this copy wait.
  var durability = Durability()
  /// The number of changes so far.
  ///
  /// A copy begins with the number of its original.
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
