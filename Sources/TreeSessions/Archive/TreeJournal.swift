import TreeDomain

/// The state of a tree's journal.
struct TreeJournal {
  /// The tree's number in storage.
  let number: TreeNumber
  /// True if the tree is in memory.
  var isLoaded: Bool
  /// The number of the last entry that the tree contains.
  var lastEntry = 0
  /// The size of the entries since the last snapshot, in bytes.
  var bytesSinceSnapshot = 0
  /// The number of these entries, and of sessions that fell asleep since.
  var entriesSinceSnapshot = 0
  /// The time that these changes took, when they were made or read.
  var workSinceSnapshot = Duration.zero
  /// The size of the last snapshot in bytes.
  var snapshotBytes = 0
  /// The approximate size of the entries after the last complete snapshot, in bytes.
  private(set) var entryBytes = 0
  /// The approximate size of the entries that the running snapshot will replace, in bytes.
  private(set) var entryBytesWritten = 0
  /// True if a snapshot is being written.
  var isWritingSnapshot = false
  /// The durability of the running change.
  var running = Durability()
  /// The number of the last entry before the running change.
  private(set) var entryBefore = 0
  /// The durability of the last change, which answers about the tree wait for.
  var last = Durability()

  /// True if the running change has no entry yet, so that nobody may learn of it.
  var isEntryPending: Bool { running.receipt != nil && lastEntry == entryBefore }

  /// Begins a change with a durability.
  mutating func beginChange(_ durability: Durability) {
    running = durability
    entryBefore = lastEntry
  }

  /// Counts an entry that was appended, and records its durability.
  mutating func recordEntry(bytes: Int, _ durability: Durability) {
    recordEntry(bytes: bytes)
    last = durability
  }

  /// Counts an entry that was read or appended.
  mutating func recordEntry(bytes: Int) {
    lastEntry += 1
    entriesSinceSnapshot += 1
    bytesSinceSnapshot += bytes
    entryBytes += bytes
  }

  /// Ends a change that was made or refused.
  ///
  /// Its time counts only if it left an entry.
  mutating func endChange(after work: Duration) {
    running = Durability()
    if lastEntry != entryBefore { workSinceSnapshot += work }
  }

  /// Begins a snapshot, which contains no later changes.
  mutating func beginSnapshot() {
    isWritingSnapshot = true
    entryBytesWritten = entryBytes
    putOffSnapshot()
  }

  /// Postpones the next snapshot until it is due again.
  mutating func putOffSnapshot() {
    entriesSinceSnapshot = 0
    bytesSinceSnapshot = 0
    workSinceSnapshot = .zero
  }

  /// Counts sessions that fell asleep.
  ///
  /// Until a snapshot contains them as asleep, reading the tree from storage wakes them.
  mutating func recordAsleep(_ count: Int) { entriesSinceSnapshot += count }

  /// Ends a snapshot, given its size in bytes; nil if it failed.
  mutating func endSnapshot(bytes: Int?) {
    isWritingSnapshot = false
    guard let bytes else { return }
    snapshotBytes = bytes
    entryBytes -= entryBytesWritten
  }

  /// Records that the tree is in memory.
  mutating func recordLoaded() { isLoaded = true }
}

/// An answer to a request that may have changed something.
protocol Acknowledged: Sendable {
  /// The durability that the answer waits for.
  var durability: Durability { get set }
  /// True if the answer was stored for an earlier request with the same idempotency key.
  var wasReplayed: Bool { get }
}

extension BatchAnswer: Acknowledged {}
extension TreeBatchAnswer: Acknowledged {}
extension Created: Acknowledged {}

extension PatchAnswer: Acknowledged {
  var durability: Durability {
    get { list.durability }
    set { list.durability = newValue }
  }

  var wasReplayed: Bool { list.wasReplayed }
}
