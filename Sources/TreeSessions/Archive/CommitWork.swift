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
      if let entry = self[place].entry { changes.append(entry.change(text)) }
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

  fileprivate func change(_ text: [UInt8]) -> StorageChange {
    let body =
      switch self.text {
      case .short(let place): Array(text[place])
      case .long(let bytes): bytes
      case .entry(let entry): entry.encoded()
      }
    return .append(
      StoredEntry(number: number, revision: revision, nodeCount: nodeCount, body: body),
      to: tree
    )
  }
}
