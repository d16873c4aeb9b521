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
  /// How many there are of them.
  var entriesSinceSnapshot = 0
  /// How many bytes the last snapshot has.
  var snapshotBytes = 0
  /// Whether a snapshot is being written.
  var isWritingSnapshot = false
  /// What the change that is being made will wait for.
  var running = Durability()
  /// What the last change waits for, and whoever tells of it.
  var last = Durability()
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
