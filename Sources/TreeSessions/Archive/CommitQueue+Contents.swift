import TreeDomain

extension CommitQueue {
  /// The state of the queue.
  struct Contents {
    var waiting = WaitingWorks()
    /// The number of works that are not written yet.
    var count = 0
    /// The approximate size of these works in bytes.
    var bytes = 0 {
      didSet {
        memory?.add(bytes - oldValue, to: .commits)
        unwritten.add(bytes - oldValue)
      }
    }
    /// Counts the bytes of all queues of the process.
    let unwritten: UnwrittenBytes
    /// Counts the bytes as memory of commits.
    private let memory: MemoryAccount?
    /// True if a thread is writing, or was asked to.
    var isServed = false
    /// The background task to run after the next commit.
    var task: (@Sendable () -> Void)?
    /// The number of threads that are about to add more works.
    var openGroups = 0
    /// True if the waiting works should be written even if more are about to be added.
    var isDue = false
    /// The number of failed commits.
    var losses = 0
    /// The availability of storage: `lost` while it fails.
    var outlook = ReceiptOutcome.kept
    /// The earliest time of the next check of storage or free space, in seconds.
    var nextTrial = 0
    /// True if only removals are admitted.
    var isShortOfRoom: Bool
    /// The time of the last check for free space.
    var lastLook = ContinuousClock.now
    /// The number of bytes written since the last check for free space.
    var bytesSinceLook = 0
    /// The durations of successful commits.
    var durations = DurationCounts()

    /// The number of works that make a commit worthwhile, even if more are about to be added.
    ///
    /// A commit itself costs as much as about twenty works.
    static let enoughWorks = 64

    /// The time, and the number of written bytes, after either of which free space is checked.
    ///
    /// They keep the cost negligible, and bound the space that is used up unnoticed.
    private static let lookInterval = Duration.milliseconds(100)
    private static let lookBytes = 1 << 20

    init(isShortOfRoom: Bool, _ unwritten: UnwrittenBytes, _ memory: MemoryAccount?) {
      self.isShortOfRoom = isShortOfRoom
      self.unwritten = unwritten
      self.memory = memory
    }

    /// Statistics of the queue and of commits.
    var statistics: JournalStatistics {
      var statistics = JournalStatistics()
      statistics.waitingWorks = count
      statistics.waitingBytes = bytes
      statistics.failedCommits = losses
      statistics.commits = durations
      return statistics
    }

    /// Returns true if free space should be checked after this commit.
    mutating func popLook(at now: ContinuousClock.Instant) -> Bool {
      guard now - lastLook > Self.lookInterval || bytesSinceLook > Self.lookBytes else {
        return false
      }
      (lastLook, bytesSinceLook) = (now, 0)
      return true
    }

    var isFailing: Bool {
      if case .lost = outlook { true } else { false }
    }

    /// A check that is needed before more is admitted.
    enum Trial {
      case storage
      case room
    }

    /// Returns the reason to refuse an addition, if there is one, and a check to run.
    ///
    /// A check is due once a second.
    mutating func refusal(at now: Int) -> (ServiceError?, Trial?) {
      if unwritten.areTooMany { return (.behindStorage, nil) }
      let isDue = now >= nextTrial
      if case .lost(let failure) = outlook {
        guard isDue, !isServed else { return (failure, nil) }
        (nextTrial, isServed) = (now + 1, true)
        return (failure, .storage)
      }
      guard isShortOfRoom else { return (nil, nil) }
      if isDue { nextTrial = now + 1 }
      return (.shortOfRoom, isDue ? .room : nil)
    }

    /// Returns true if a work may be added, because nothing it builds on was lost.
    func takes(_ tree: LockedTree?, since epoch: Int?) -> Bool {
      guard !isFailing else { return false }
      let isOutdated = epoch.map { $0 != losses } ?? false
      return !isOutdated && tree?.isLost != true
    }

    /// Counts a work that was added.
    mutating func count(_ bytes: Int) {
      count += 1
      self.bytes += bytes
      // Writing it takes longer than beginning another commit.
      if bytes > WaitingWorks.shortBytes { isDue = true }
    }

    mutating func discount(_ works: [CommitWork]) {
      count -= works.count
      for place in works.indices {
        bytes -= works[place].bytes
        bytesSinceLook += works[place].bytes
      }
    }

    /// True if the waiting works should be written now.
    var isReady: Bool {
      guard !waiting.isEmpty else { return false }
      return openGroups == 0 || isDue || waiting.count >= Self.enoughWorks
    }

    /// Returns true if the caller must ask a thread to write, and records that it was asked.
    mutating func begin() -> Bool {
      guard !isServed, isReady else { return false }
      isServed = true
      // By the time the thread runs, others may be about to add more.
      isDue = true
      return true
    }

    /// Sets the background task, unless there is one.
    ///
    /// Returns true if a thread should begin to serve.
    mutating func acceptsTask(_ task: @escaping @Sendable () -> Void) -> Bool {
      guard self.task == nil else { return false }
      self.task = task
      defer { isServed = true }
      return !isServed
    }

    /// Removes and returns all waiting works, with the text of their short entries.
    mutating func popAll() -> (works: [CommitWork], text: [UInt8]) {
      isDue = false
      return waiting.popAll()
    }
  }
}
