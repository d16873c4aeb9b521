import TreeDomain

extension CommitQueue {
  /// What waits, and how writing goes.
  struct Contents {
    var waiting = WaitingWorks()
    /// How many works are not written yet, and about how many bytes they are.
    var count = 0
    var bytes = 0
    /// A thread is at it, or will be.
    var isServed = false
    /// How many threads are about to add more.
    var gatherers = 0
    /// Whether what waits is to be written all the same.
    var isDue = false
    /// How many commits failed.
    var losses = 0
    /// What becomes of what is added: lost, and then not taken, while storage fails.
    var outlook = ReceiptOutcome.kept
    /// When storage is to be tried again.
    var nextTrial = 0
    /// How long commits took that did not fail.
    var durations = DurationCounts()

    /// How many works are enough for a commit, whoever is about to add more: what it takes by
    /// itself, as much as some twenty works, is little for each of them.
    static let enoughWorks = 64

    var isFailing: Bool {
      if case .lost = outlook { true } else { false }
    }

    /// Whether work may be added: nothing that it builds on was lost.
    func takes(_ tree: LockedTree?, since epoch: Int?) -> Bool {
      guard !isFailing else { return false }
      let isOutdated = epoch.map { $0 != losses } ?? false
      return !isOutdated && tree?.isLost != true
    }

    /// Counts a work that was added.
    mutating func count(_ bytes: Int) {
      count += 1
      self.bytes += bytes
      // To write it takes longer than it would to begin another commit.
      if bytes > WaitingWorks.shortBytes { isDue = true }
    }

    mutating func discount(_ works: ArraySlice<CommitWork>) {
      count -= works.count
      for place in works.indices { bytes -= works[place].bytes }
    }

    /// Whether what waits is to be written now.
    var isReady: Bool {
      guard !waiting.isEmpty else { return false }
      return gatherers == 0 || isDue || waiting.count >= Self.enoughWorks
    }

    /// Whether a thread is to begin to write; it counts as being at it then.
    mutating func begin() -> Bool {
      guard !isServed, isReady else { return false }
      isServed = true
      // Though others may be about to add more by the time it is there.
      isDue = true
      return true
    }

    /// Takes all that waits, and the text in which short entries are.
    mutating func takeAll() -> (works: [CommitWork], text: [UInt8]) {
      isDue = false
      return waiting.takeAll()
    }
  }
}
