import TreeDomain

extension CommitQueue {
  /// What waits, and how writing goes.
  struct Contents {
    var waiting = WaitingWorks()
    /// How many works are not written yet, and about how many bytes they are.
    var count = 0
    var bytes = 0 {
      didSet { memory?.add(bytes - oldValue, to: .commits) }
    }
    /// Counts the bytes among all memory.
    private let memory: MemoryAccount?
    /// A thread is at it, or will be.
    var isServed = false
    /// What is to be done besides.
    var errand: (@Sendable () -> Void)?
    /// How many threads are about to add more.
    var openGroups = 0
    /// Whether what waits is to be written all the same.
    var isDue = false
    /// How many commits failed.
    var losses = 0
    /// What becomes of what is added: lost, and then not taken, while storage fails.
    var outlook = ReceiptOutcome.kept
    /// When storage is to be tried again.
    var nextTrial = 0
    /// Whether only what takes something away is to be added.
    var isShortOfRoom: Bool
    /// When that was found out, and how many bytes were written since.
    var lastLook = ContinuousClock.now
    var bytesSinceLook = 0
    /// How long commits took that did not fail.
    var durations = DurationCounts()

    /// How many works are enough for a commit, whoever is about to add more: what it takes by
    /// itself, as much as some twenty works, is little for each of them.
    static let enoughWorks = 64

    /// When whoever commits looks what room is left: as seldom as that costs nothing, and so often
    /// that neither they nor others take much of it meanwhile.
    private static let lookInterval = Duration.milliseconds(100)
    private static let lookBytes = 1 << 20

    init(isShortOfRoom: Bool, _ memory: MemoryAccount?) {
      self.isShortOfRoom = isShortOfRoom
      self.memory = memory
    }

    /// Whether somebody is to look what room is left, now that a commit is over.
    mutating func takeLook(at now: ContinuousClock.Instant) -> Bool {
      guard now - lastLook > Self.lookInterval || bytesSinceLook > Self.lookBytes else {
        return false
      }
      (lastLook, bytesSinceLook) = (now, 0)
      return true
    }

    var isFailing: Bool {
      if case .lost = outlook { true } else { false }
    }

    /// What is to be found out before more is taken.
    enum Trial {
      case storage
      case room
    }

    /// Why what adds something is not taken, if it is not; once a second somebody is to find out
    /// whether that is still so.
    mutating func refusal(at now: Int, maxBytes: Int) -> (ServiceError?, Trial?) {
      if bytes > maxBytes { return (.behindStorage, nil) }
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

    mutating func discount(_ works: [CommitWork]) {
      count -= works.count
      for place in works.indices {
        bytes -= works[place].bytes
        bytesSinceLook += works[place].bytes
      }
    }

    /// Whether what waits is to be written now.
    var isReady: Bool {
      guard !waiting.isEmpty else { return false }
      return openGroups == 0 || isDue || waiting.count >= Self.enoughWorks
    }

    /// Whether a thread is to begin to write; it counts as being at it then.
    mutating func begin() -> Bool {
      guard !isServed, isReady else { return false }
      isServed = true
      // Though others may be about to add more by the time it is there.
      isDue = true
      return true
    }

    /// Takes an errand, if there is none; true where a thread is to begin, which counts as at it.
    mutating func takesErrand(_ errand: @escaping @Sendable () -> Void) -> Bool {
      guard self.errand == nil else { return false }
      self.errand = errand
      defer { isServed = true }
      return !isServed
    }

    /// Takes all that waits, and the text in which short entries are.
    mutating func takeAll() -> (works: [CommitWork], text: [UInt8]) {
      isDue = false
      return waiting.takeAll()
    }
  }
}
