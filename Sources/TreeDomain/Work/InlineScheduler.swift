import Synchronization

/// Runs work at once on the thread that has it, for tests and tools.
///
/// Work about a tree that is being worked on is run afterwards, by the thread that is at it.
public final class InlineScheduler: Sendable {
  /// For each tree that is worked on the items that wait.
  private let waiting = Mutex<[Int: [WorkItem]]>([:])

  /// Makes a scheduler.
  public init() {}

  /// Runs a piece of work, now or after the one that its tree is worked on by.
  public func schedule(_ item: WorkItem) {
    guard let tree = item.tree else { return item.run(UnscheduledSlot()) }
    let isFree = waiting.withLock { waiting in
      guard waiting[tree] != nil else {
        waiting[tree] = []
        return true
      }
      waiting[tree]?.append(item)
      return false
    }
    guard isFree else { return }
    var next: WorkItem? = item
    while let item = next {
      item.run(UnscheduledSlot())
      next = waiting.withLock { waiting in
        guard waiting[tree]?.isEmpty == false else {
          waiting[tree] = nil
          return nil
        }
        return waiting[tree]?.removeFirst()
      }
    }
  }
}
