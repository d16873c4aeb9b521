import Synchronization
import TreeDomain
import TreeEngine

/// The small changes of a tree since it was copied, in order.
///
/// They are replayed on the copy, on which a long change was prepared meanwhile.
final class ChangeLog: Sendable {
  /// A committed change.
  struct Change {
    let entry: JournalEntry
    let record: CommitRecord<Fanout<64>>
  }

  private struct Contents {
    var changes: [Change] = []
    /// The number of ended transactions.
    var transactions = 0
    var byteCount = 0
    /// True if a change cannot be replayed, or if the changes took too much memory.
    var isVoid = false
    /// True if a call made a change that cannot be replayed because of its kind.
    var hasOtherKinds = false

    mutating func void() {
      isVoid = true
      (changes, byteCount) = ([], 0)
    }
  }

  /// The lock is held briefly, and no other lock is taken under it.
  private let contents = Mutex(Contents())

  /// True if small calls must not make changes that cannot be replayed; they wait instead.
  let isGuarded: Bool

  init(isGuarded: Bool = false) { self.isGuarded = isGuarded }

  /// The maximum memory of the changes, in bytes.
  private static let maxBytes = 1 << 25

  /// The number of changes to replay.
  var count: Int { contents.withLock { $0.changes.count } }

  /// The number of transactions that have ended since the tree was copied.
  var transactions: Int { contents.withLock { $0.transactions } }

  /// The approximate memory of the changes, in bytes.
  var byteCount: Int { contents.withLock { $0.byteCount } }

  /// Appends a change, or voids the log if it would exceed its maximum memory.
  func add(_ change: Change) {
    contents.withLock { contents in
      contents.transactions += 1
      contents.byteCount += change.byteCount
      contents.changes.append(change)
      if contents.byteCount > Self.maxBytes { contents.void() }
    }
  }

  /// Counts a transaction that has changed nothing.
  func skip() { contents.withLock { $0.transactions += 1 } }

  /// Records a change that cannot be replayed.
  func void() { contents.withLock { $0.void() } }

  /// True if a call made a change that cannot be replayed because of its kind.
  var hasOtherKinds: Bool { contents.withLock(\.hasOtherKinds) }

  /// Records that a call makes a change that cannot be replayed because of its kind.
  func recordOtherKind() { contents.withLock { $0.hasOtherKinds = true } }

  /// Removes and returns all changes; `nil` if the log is void.
  func popAll() -> [Change]? {
    contents.withLock { contents in
      guard !contents.isVoid else { return nil }
      defer { (contents.changes, contents.byteCount) = ([], 0) }
      return contents.changes
    }
  }
}

extension ChangeLog.Change {
  fileprivate var byteCount: Int {
    let body =
      switch entry.event {
      case .batch(let batch): batch.bytes.count
      case .importNodes(let nodes): nodes.byteCount
      default: 0
      }
    return body + record.byteCount + 512
  }
}

/// A copy of a tree, and the log of the changes that the tree makes afterwards.
struct BegunCopy {
  let copy: TreeCopy
  /// The log; `nil` if changes are not logged.
  ///
  /// Logging ends when the log is released.
  let log: ChangeLog?
}

/// A change of the original that is being replayed on a copy.
struct ReplayedChange {
  let record: CommitRecord<Fanout<64>>
  /// The sort orders by which the change that was prepared on the copy placed nodes.
  let orders: [SortOrder]
}
