import TreeDomain

/// Changes to write, with the receipt that gets their outcome.
struct CommitWork: Sendable {
  /// The tree that is ahead of storage until the work is written.
  var tree: LockedTree?
  /// The tree of a snapshot, if the work is a part of one.
  var snapshotted: LockedTree?
  var changes: [StorageChange] = []
  /// The entry to append to the tree's journal, after `changes`.
  var entry: Entry?
  var receipt: CommitReceipt
  /// The approximate size of the work.
  var bytes: Int
  /// The number of failed commits when the work began, if a later failure makes it invalid.
  var epoch: Int?
  /// The progress of writing a long entry ahead of its commit.
  var ahead = Ahead.notBegun

  /// The progress of writing a long entry ahead of its commit.
  enum Ahead: Sendable {
    case notBegun
    case begun
    case done
    /// Storage leaves the entry to the commit.
    case left
  }

  /// True if the work adds a tree, which may have the id of a deleted one.
  var makesTree: Bool { changes.contains { if case .makeTree = $0 { true } else { false } } }

  /// True if the work removes a tree.
  var deletesTree: Bool { changes.contains { if case .deleteTree = $0 { true } else { false } } }

  /// True if the work waits until its entry was written ahead.
  var waitsForParts: Bool {
    guard entry != nil, bytes > CommitBacklog.commitBytes else { return false }
    return ahead == .notBegun || ahead == .begun
  }

  /// The approximate number of bytes that are left to the commit.
  var bytesToCommit: Int { ahead == .done ? 0 : bytes }

  /// The tree whose works stay in order; `nil` if the work keeps its place among all works.
  var sequence: LockedTree? { tree ?? snapshotted }

  /// An entry of a journal, which may be encoded already.
  struct Entry: Sendable {
    var text: Text
    var number: Int
    var revision: Int
    var nodeCount: Int
    var tree: TreeNumber
  }

  /// The text of an entry.
  enum Text: Sendable {
    /// A range of the text of all waiting works.
    case short(Range<Int>)
    case long([UInt8])
    /// An entry that is not encoded yet.
    indirect case entry(JournalEntry)
  }
}

extension [CommitWork] {
  /// Returns the changes of the works.
  ///
  /// - Parameter text: The text of short entries.
  /// - Returns: The changes, in the order of the works.
  func changes(_ text: [UInt8]) -> [StorageChange] {
    var changes: [StorageChange] = []
    changes.reserveCapacity(count)
    // By index, because copying a work retains many references.
    for place in indices {
      changes += self[place].changes
      guard let entry = self[place].entry else { continue }
      changes.append(.append(entry.stored(text), to: entry.tree))
    }
    return changes
  }
}

extension CommitWork {
  /// Gives a short entry a text of its own, so that it no longer refers to the common text.
  ///
  /// - Parameter text: The text of short entries.
  mutating func detach(from text: [UInt8]) {
    guard case .short(let place) = entry?.text else { return }
    entry?.give(text: Array(text[place]))
  }
}

extension CommitWork.Entry {
  fileprivate mutating func give(text: [UInt8]) { self.text = .long(text) }

  /// Encodes the entry, unless it has a text of its own.
  ///
  /// - Parameter text: The text of short entries.
  mutating func encode(_ text: [UInt8]) {
    if case .long = self.text { return }
    give(text: stored(text).body)
  }

  /// Returns the entry as it is stored.
  ///
  /// - Parameter text: The text of short entries.
  /// - Returns: The entry.
  func stored(_ text: [UInt8]) -> StoredEntry {
    let body =
      switch self.text {
      case .short(let place): Array(text[place])
      case .long(let bytes): bytes
      case .entry(let entry): entry.encoded()
      }
    return StoredEntry(number: number, revision: revision, nodeCount: nodeCount, body: body)
  }
}
