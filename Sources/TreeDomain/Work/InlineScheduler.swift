import Synchronization

/// Runs work at once on the calling thread, for tests and tools.
///
/// If the work's tree is in use, the thread that uses it runs the work afterwards.
package final class InlineScheduler: Sendable {
  /// The waiting items of each tree that is in use.
  private let waiting = Mutex<[Int: [WorkItem]]>([:])

  /// Makes a scheduler.
  package init() {}

  /// Runs a piece of work now, or after the current work of its tree.
  package func schedule(_ item: WorkItem) {
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
