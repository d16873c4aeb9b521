import Synchronization
import TreeDomain

/// The work that waits for one tree: done one after the other, by one worker at a time.
///
/// After each piece the tree goes to the end of the workers' own queue, so that trees take turns,
/// however much waits for one of them.
final class TurnQueue: Sendable {
  typealias Job = @Sendable () -> Void

  private struct Contents {
    /// Those that came first, the next one last, and those that came since.
    private var first: [Job] = []
    private var later: [Job] = []
    /// Calls among the jobs: what a client waits for, and is counted.
    var calls = 0
    /// A worker is at it, or will be.
    var isServed = false

    var isEmpty: Bool { first.isEmpty && later.isEmpty }

    mutating func append(_ job: @escaping Job) { later.append(job) }

    /// Takes the next one; there must be one.
    mutating func next() -> Job {
      if first.isEmpty {
        first = later.reversed()
        later = []
      }
      return first.removeLast()
    }
  }

  /// The lock is held for one insertion or removal, and no job runs under it.
  private let contents = Mutex(Contents())
  private let waiting: SharedRoom
  private let limit: Int
  private let assign: SessionStore.Assignment
  /// Counts how long calls wait here, and for the lock of the tree.
  let meter: TreeMeter

  /// A queue for so many calls at most, of those that may wait for any tree.
  init(
    _ waiting: SharedRoom,
    limit: Int,
    meter: TreeMeter,
    assign: @escaping SessionStore.Assignment
  ) {
    self.waiting = waiting
    self.meter = meter
    self.limit = limit
    self.assign = assign
  }

  /// Has a call made in its turn; false if too many wait.
  func take(_ call: @escaping Job) -> Bool {
    let hasRoom = contents.withLock { contents in
      guard contents.calls < limit, waiting.take(1) else { return false }
      contents.calls += 1
      return true
    }
    guard hasRoom else { return false }
    let begin = ContinuousClock.now
    add { [self] in
      meter.addWait(since: begin)
      contents.withLock { $0.calls -= 1 }
      waiting.giveBack(1)
      call()
    }
    return true
  }

  /// Has a task done in its turn; whoever has one sees to it that they are not too many.
  func add(_ job: @escaping Job) {
    let isFirst = contents.withLock { contents in
      contents.append(job)
      defer { contents.isServed = true }
      return !contents.isServed
    }
    if isFirst { assign { [self] in serve() } }
  }

  /// Does one job, and has the next one done after what others wait for.
  private func serve() {
    let job = contents.withLock { $0.next() }
    job()
    let isServed = contents.withLock { contents in
      contents.isServed = !contents.isEmpty
      return contents.isServed
    }
    if isServed { assign { [self] in serve() } }
  }
}
