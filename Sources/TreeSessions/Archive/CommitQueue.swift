import Synchronization
import TreeDomain

/// What waits to be written to storage: all of it goes into the next commit, whoever sent it.
///
/// So while one commit waits for the disk the next one fills, and a commit for one costs hardly
/// more than a commit for many. One thread writes; nobody else waits for it.
///
/// When a commit fails, everything in it and behind it is lost: the trees that did it are ahead of
/// what is stored, and are told so, to be read anew. Until storage works again nothing is
/// taken, so that nothing is lost a second time.
final class CommitQueue: Sendable {
  /// Something to be written, with what is told when it is.
  struct Work: Sendable {
    /// The tree whose memory is ahead of storage until it is written.
    var tree: LockedTree?
    var changes: [StorageChange] = []
    /// What is added to the tree's journal behind them.
    var entry: Entry?
    var receipt: CommitReceipt
    /// About how many bytes it is.
    var bytes: Int
    /// How many commits had failed when it was begun, where it is worth nothing after another one.
    var epoch: Int?
  }

  /// An entry of a journal, which becomes a change of storage when its turn has come.
  struct Entry: Sendable {
    var logged: Logged
    var number: Int
    var revision: Int
    var nodeCount: Int
    var tree: TreeNumber
  }

  /// An entry as it is, or encoded already; passed on as one reference.
  indirect enum Logged: Sendable {
    case entry(JournalEntry)
    case encoded([UInt8])
  }

  private struct Contents {
    var waiting: [Work] = []
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
  }

  private let contents = Mutex(Contents())
  private let storage: any TreeStorage
  private let maxBytes: Int
  private let clock: @Sendable () -> Int
  private let assign: SessionStore.Assignment

  init(
    _ storage: any TreeStorage,
    maxBytes: Int,
    clock: @escaping @Sendable () -> Int,
    assign: @escaping SessionStore.Assignment
  ) {
    self.storage = storage
    self.maxBytes = maxBytes
    self.clock = clock
    self.assign = assign
  }

  // MARK: Those who change something

  /// Asks, before anything is changed, whether that could be kept.
  ///
  /// - Throws: `storage-full`, `storage-failed`; `overloaded` where too much waits already.
  func admit() throws(ServiceError) {
    let now = clock()
    let (refusal, isTrial) = contents.withLock { contents -> (ServiceError?, Bool) in
      if contents.bytes > maxBytes { return (.behindStorage, false) }
      guard let failure = contents.failure else { return (nil, false) }
      let isTrial = now >= contents.nextTrial && !contents.isServed
      if isTrial {
        contents.nextTrial = now + 1
        contents.isServed = true
      }
      return (failure, isTrial)
    }
    if isTrial { assign { [self] in tryAgain() } }
    if let refusal { throw refusal }
  }

  /// How many commits failed.
  var losses: Int { contents.withLock { $0.losses } }

  /// What waits at this moment, and what was written up to now.
  var statistics: JournalStatistics {
    contents.withLock { contents in
      var statistics = JournalStatistics()
      statistics.waitingWorks = contents.waiting.count
      statistics.waitingBytes = contents.bytes
      statistics.failedCommits = contents.losses
      statistics.commits = contents.durations
      return statistics
    }
  }

  /// Adds work, in the order in which it is to be written.
  func add(_ work: Work) {
    let failure = contents.withLock { contents -> ServiceError? in
      if let failure = contents.failure { return failure }
      let isOutdated = work.epoch.map { $0 != contents.losses } ?? false
      if isOutdated || work.tree?.isLost == true {
        return .storageFailed("what came before it was lost")
      }
      contents.waiting.append(work)
      contents.bytes += work.bytes
      return nil
    }
    if let failure {
      work.tree?.lose()
      return work.receipt.settle(.lost(failure))
    }
    serveIfNeeded()
  }

  private func serveIfNeeded() {
    let isFirst = contents.withLock { contents in
      defer { contents.isServed = true }
      return !contents.isServed
    }
    if isFirst { assign { [self] in serve() } }
  }

  // MARK: The thread that writes

  /// How many bytes go into a commit, or a little more.
  private static let commitBytes = 16 << 20

  /// Writes what waits until nothing does.
  private func serve() {
    while let works = take() {
      do throws(StorageError) {
        let begin = ContinuousClock.now
        try storage.commit(Self.changes(of: works))
        let duration = ContinuousClock.now - begin
        contents.withLock { $0.durations.add(duration) }
        for work in works { work.receipt.settle(.kept) }
      } catch {
        lose(works, ServiceError(error))
      }
      storage.tidy(hasTime: contents.withLock { $0.waiting.isEmpty })
    }
  }

  private static func changes(of works: [Work]) -> [StorageChange] {
    var changes: [StorageChange] = []
    changes.reserveCapacity(works.count)
    for work in works {
      changes += work.changes
      if let entry = work.entry { changes.append(entry.change) }
    }
    return changes
  }

  private func take() -> [Work]? {
    contents.withLock { contents in
      var count = 0
      var bytes = 0
      while count < contents.waiting.count, count == 0 || bytes < Self.commitBytes {
        bytes += contents.waiting[count].bytes
        count += 1
      }
      guard count > 0 else {
        contents.isServed = false
        return nil
      }
      let works = Array(contents.waiting[..<count])
      contents.waiting.removeFirst(count)
      contents.bytes -= bytes
      return works
    }
  }

  /// Tells everybody that what they did is not kept.
  private func lose(_ works: [Work], _ error: ServiceError) {
    let now = clock()
    let lost = contents.withLock { contents in
      let lost = works + contents.waiting
      contents.waiting = []
      contents.bytes = 0
      contents.losses += 1
      contents.failure = error
      contents.nextTrial = now + 1
      // Under this lock, so that nobody adds to what is lost.
      for work in lost { work.tree?.lose() }
      return lost
    }
    for work in lost { work.receipt.settle(.lost(error)) }
  }

  /// Finds out whether storage works again.
  private func tryAgain() {
    let failure: ServiceError?
    do throws(StorageError) {
      try storage.probe()
      failure = nil
    } catch {
      failure = ServiceError(error)
    }
    contents.withLock { contents in
      contents.failure = failure
      contents.isServed = false
    }
  }
}

extension CommitQueue.Entry {
  /// The change of storage that it is.
  fileprivate var change: StorageChange {
    .append(
      StoredEntry(
        number: number,
        revision: revision,
        nodeCount: nodeCount,
        body: logged.encoded
      ),
      to: tree
    )
  }
}

extension CommitQueue.Logged {
  fileprivate var encoded: [UInt8] {
    switch self {
    case .entry(let entry): entry.encoded()
    case .encoded(let bytes): bytes
    }
  }
}

extension ServiceError {
  /// What storage says, to a client.
  init(_ error: StorageError) {
    self =
      switch error {
      case .full(let reason):
        ServiceError(
          .storageFull,
          "There is no room to keep this (\(reason)); nothing has changed, try again later."
        )
      case .failed(let reason): .storageFailed(reason)
      case .damaged(let reason):
        ServiceError(
          .storageDamaged,
          "This cannot be read any more: \(reason). Restore a backup, or check with --check."
        )
      }
  }

  static func storageFailed(_ reason: String) -> ServiceError {
    ServiceError(
      .storageFailed,
      "This could not be kept (\(reason)); nothing has changed, try again later."
    )
  }

  /// More waits to be written than there may.
  static var behindStorage: ServiceError {
    ServiceError(.overloaded, "Too much waits to be written to storage; try again soon.")
  }
}
