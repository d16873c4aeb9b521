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
///
/// Where storage works, but refuses something in the commit, each work is tried for itself, and
/// that one alone is lost, with what its tree did since.
final class CommitQueue: Sendable {
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
    if contents.withLock({ $0.failure == nil && $0.bytes <= maxBytes }) { return }
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
      statistics.waitingWorks = contents.count
      statistics.waitingBytes = contents.bytes
      statistics.failedCommits = contents.losses
      statistics.commits = contents.durations
      return statistics
    }
  }

  /// Adds work, in the order in which it is to be written.
  func add(_ work: CommitWork) {
    add(work) { $0.append(work) }
  }

  /// Adds work that ends with an entry.
  ///
  /// - Parameters:
  ///   - work: The work, with an entry whose text is not known yet.
  ///   - entry: What the entry says.
  ///   - encoded: Its text, where it is made already.
  func add(_ work: CommitWork, _ entry: JournalEntry, _ encoded: [UInt8]?) {
    add(work) { $0.append(work, entry, encoded) }
  }

  private func add(_ work: CommitWork, _ append: (inout WaitingWorks) -> Void) {
    let isServed = contents.withLock { contents -> Bool? in
      guard contents.takes(work) else { return nil }
      append(&contents.waiting)
      contents.count(work)
      defer { contents.isServed = true }
      return contents.isServed
    }
    switch isServed {
    case true: return
    case false: assign { [self] in serve() }
    case nil:
      work.tree?.lose()
      let failure = contents.withLock { $0.failure }
      work.receipt.settle(.lost(failure ?? .storageFailed("what came before it was lost")))
    }
  }

  // MARK: The thread that writes

  /// How many bytes go into a commit, or a little more.
  private static let commitBytes = 16 << 20

  /// Writes what waits until nothing does.
  private func serve() {
    while let (works, text) = take() {
      var rest = works[...]
      // How many of them are tried each for itself, as one of them was refused.
      var apart = 0
      while !rest.isEmpty {
        let works = rest.prefix(apart > 0 ? 1 : Self.commitCount(of: rest))
        do throws(StorageError) {
          try commit(works, text)
          rest.removeFirst(works.count)
        } catch .refused where works.count > 1 {
          apart = works.count + 1
        } catch .refused(let reason) {
          rest.removeFirst()
          refuse(works[works.startIndex], &rest, .refused(reason))
        } catch {
          lose(rest, ServiceError(error))
          rest = []
        }
        apart = max(0, apart - 1)
        storage.tidy(hasTime: contents.withLock { $0.count == 0 })
      }
    }
  }

  private func commit(
    _ works: ArraySlice<CommitWork>,
    _ text: [UInt8]
  ) throws(StorageError) {
    let begin = ContinuousClock.now
    try storage.commit(works.changes(text))
    let duration = ContinuousClock.now - begin
    contents.withLock { contents in
      contents.durations.add(duration)
      contents.discount(works)
    }
    for place in works.indices { works[place].receipt.settle(.kept) }
  }

  /// Takes all that waits; nil if nothing does.
  private func take() -> (works: [CommitWork], text: [UInt8])? {
    contents.withLock { contents in
      guard !contents.waiting.isEmpty else {
        contents.isServed = false
        return nil
      }
      return contents.waiting.takeAll()
    }
  }

  /// How many of the works go into the next commit.
  private static func commitCount(of rest: ArraySlice<CommitWork>) -> Int {
    var count = 0
    var bytes = 0
    while count < rest.count, count == 0 || bytes < commitBytes {
      bytes += rest[rest.startIndex + count].bytes
      count += 1
    }
    return count
  }

  /// Tells whoever did what storage refuses, and whoever did anything to the same tree since.
  private func refuse(
    _ work: CommitWork,
    _ rest: inout ArraySlice<CommitWork>,
    _ error: StorageError
  ) {
    var lost = [work]
    if let tree = work.tree {
      lost += rest.filter { $0.tree === tree }
      rest.removeAll { $0.tree === tree }
    }
    let later = contents.withLock { contents in
      // Under this lock, so that nobody adds to what is lost.
      work.tree?.lose()
      contents.losses += 1
      let later = contents.waiting.take(of: work.tree)
      contents.discount(lost[...])
      contents.discount(later[...])
      return later
    }
    for work in lost + later { work.receipt.settle(.lost(ServiceError(error))) }
  }

  /// Tells everybody that what they did is not kept.
  private func lose(_ works: ArraySlice<CommitWork>, _ error: ServiceError) {
    let now = clock()
    let lost = contents.withLock { contents in
      let lost = works + contents.waiting.takeAll().works
      contents.count = 0
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
