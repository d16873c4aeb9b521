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
    /// How many commits failed.
    var losses = 0
    /// Why nothing is taken.
    var failure: ServiceError?
    /// When storage is to be tried again.
    var nextTrial = 0
    /// How long commits took that did not fail.
    var durations = DurationCounts()

    /// Whether a work may be added: nothing that it builds on was lost.
    func takes(_ work: CommitWork) -> Bool {
      guard failure == nil else { return false }
      let isOutdated = work.epoch.map { $0 != losses } ?? false
      return !isOutdated && work.tree?.isLost != true
    }

    mutating func count(_ work: CommitWork) {
      count += 1
      bytes += work.bytes
    }

    mutating func discount(_ works: ArraySlice<CommitWork>) {
      count -= works.count
      for place in works.indices { bytes -= works[place].bytes }
    }
  }
}
