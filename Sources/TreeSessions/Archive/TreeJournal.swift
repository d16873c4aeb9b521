import TreeDomain

/// How a tree in memory and its journal stand to each other.
struct TreeJournal {
  /// The tree's number in storage.
  let number: TreeNumber
  /// Whether the tree is in memory.
  var isLoaded: Bool
  /// The number of the last entry that the tree has seen.
  var lastEntry = 0
  /// The bytes of the entries since the last snapshot.
  var bytesSinceSnapshot = 0
  /// How many there are of them, and sessions that fell asleep since.
  var entriesSinceSnapshot = 0
  /// How long the changes of those entries took, here or when they were read.
  var workSinceSnapshot = Duration.zero
  /// How many bytes the last snapshot has.
  var snapshotBytes = 0
  /// About how many bytes the entries have that are behind it.
  private(set) var entryBytes = 0
  /// About how many of them the one that is being written makes needless.
  private(set) var entryBytesWritten = 0
  /// Whether a snapshot is being written.
  var isWritingSnapshot = false
  /// What the change that is being made will wait for.
  var running = Durability()
  /// The last entry before the change that is being made.
  private(set) var entryBefore = 0
  /// What the last change waits for, and whoever tells of it.
  var last = Durability()

  /// A change begins, which will wait for something.
  mutating func beginChange(_ durability: Durability) {
    running = durability
    entryBefore = lastEntry
  }

  /// An entry was added, of about so many bytes.
  mutating func noteEntry(bytes: Int, _ durability: Durability) {
    noteEntry(bytes: bytes)
    last = durability
  }

  /// An entry was read, or added.
  mutating func noteEntry(bytes: Int) {
    lastEntry += 1
    entriesSinceSnapshot += 1
    bytesSinceSnapshot += bytes
    entryBytes += bytes
  }

  /// The change is made, or refused, after so much work; what left no entry need not be done again.
  mutating func endChange(after work: Duration) {
    running = Durability()
    if lastEntry != entryBefore { workSinceSnapshot += work }
  }

  /// A snapshot begins: what happens from here on is not in it.
  mutating func beginSnapshot() {
    isWritingSnapshot = true
    entryBytesWritten = entryBytes
    putOffSnapshot()
  }

  /// None is written now; it will be due again when as much has happened once more.
  mutating func putOffSnapshot() {
    entriesSinceSnapshot = 0
    bytesSinceSnapshot = 0
    workSinceSnapshot = .zero
  }

  /// Sessions fell asleep: where a snapshot does not say so, reading the tree makes them as its
  /// entries do.
  mutating func noteAsleep(_ count: Int) { entriesSinceSnapshot += count }

  /// The snapshot is written, so many bytes, or will not be.
  mutating func endSnapshot(bytes: Int?) {
    isWritingSnapshot = false
    guard let bytes else { return }
    snapshotBytes = bytes
    entryBytes -= entryBytesWritten
  }

  /// All there is of the tree is in memory.
  mutating func noteLoaded() { isLoaded = true }
}

/// An answer to a request that may have changed something.
protocol Acknowledged: Sendable {
  /// What the answer waits for.
  var durability: Durability { get set }
  /// Whether it was given before, to the same request.
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
