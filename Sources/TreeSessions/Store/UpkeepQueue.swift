import Synchronization

/// Tasks of trees that no client waits for, a few at a time.
///
/// Maintenance may find such a task for each of 100 000 trees. Queued all at once on the workers,
/// they would have to share those with the requests of clients.
final class UpkeepQueue: Sendable {
  /// A task, which calls its argument once it is done, on any thread.
  typealias Task = @Sendable (_ done: @escaping @Sendable () -> Void) -> Void

  private struct State {
    /// The tasks to run; those before `first` have begun.
    var tasks: [Task] = []
    var first = 0
    var running = 0
    /// True while a thread starts tasks.
    var isStarting = false

    /// Returns the next task; nil if none may start now.
    mutating func pop(atMost limit: Int) -> Task? {
      guard running < limit, first < tasks.count else {
        isStarting = false
        return nil
      }
      defer {
        first += 1
        if first == tasks.count { (tasks, first) = ([], 0) }
      }
      running += 1
      return tasks[first]
    }
  }

  /// The maximum number of tasks that run at a time.
  private static let limit = 4

  private let state = Mutex(State())

  /// True if no task waits or runs.
  var isEmpty: Bool { state.withLock { $0.tasks.isEmpty && $0.running == 0 } }

  /// Adds tasks, and starts the first of them.
  func add(_ tasks: [Task]) {
    state.withLock { $0.tasks += tasks }
    start()
  }

  /// Starts tasks while they may run.
  ///
  /// A task that is done at once is followed by the next in the same loop, so that the stack does
  /// not grow.
  private func start() {
    let isFirst = state.withLock { state in
      guard !state.isStarting else { return false }
      state.isStarting = true
      return true
    }
    guard isFirst else { return }
    while let task = state.withLock({ $0.pop(atMost: Self.limit) }) {
      task { [self] in
        state.withLock { $0.running -= 1 }
        start()
      }
    }
  }
}
