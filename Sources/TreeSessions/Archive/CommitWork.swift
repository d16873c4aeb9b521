import TreeDomain

/// Something to be written, with what is told when it is.
struct CommitWork: Sendable {
  /// The tree whose memory is ahead of storage until it is written.
  var tree: LockedTree?
  /// The tree that a part of a snapshot is of.
  var snapshotted: LockedTree?
  var changes: [StorageChange] = []
  /// What is added to the tree's journal behind them.
  var entry: Entry?
  var receipt: CommitReceipt
  /// About how many bytes it is.
  var bytes: Int
  /// How many commits had failed when it was begun, where it is worth nothing after another one.
  var epoch: Int?

  /// The tree among whose works it keeps its place; `nil` if it keeps it among all works.
  var sequence: LockedTree? { tree ?? snapshotted }

  /// An entry of a journal, which becomes a change of storage when its turn has come.
  struct Entry: Sendable {
    var text: Text
    var number: Int
    var revision: Int
    var nodeCount: Int
    var tree: TreeNumber
  }

  /// Where the text of an entry is.
  enum Text: Sendable {
    /// At a place in the text of all that waits.
    case short(Range<Int>)
    case long([UInt8])
    /// Not written yet.
    indirect case entry(JournalEntry)
  }
}

extension [CommitWork] {
  /// Returns the changes that the works come to.
  ///
  /// - Parameter text: The text of short entries.
  /// - Returns: The changes, in the order of the works.
  func changes(_ text: [UInt8]) -> [StorageChange] {
    var changes: [StorageChange] = []
    changes.reserveCapacity(count)
    // Works are looked at where they are, for a copy of one is many references counted.
    for place in indices {
      changes += self[place].changes
      if let entry = self[place].entry { changes.append(entry.change(text)) }
    }
    return changes
  }
}

extension CommitWork {
  /// Gives a short entry a text of its own, so that it does not need the text of all works.
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
