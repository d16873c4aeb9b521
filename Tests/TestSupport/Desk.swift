import Synchronization

/// A queue of jobs that run only when a test asks for it.
package final class Desk: Sendable {
  /// A job.
  package typealias Job = @Sendable () -> Void

  private let jobs = Mutex<[Job]>([])
  private let room: Int

  /// Creates a queue with room for a number of jobs.
  package init(room: Int = .max) { self.room = room }

  /// The number of queued jobs.
  package var count: Int { jobs.withLock { $0.count } }

  /// Enqueues a job; returns false if the queue is full.
  package func enqueue(_ job: @escaping Job) -> Bool {
    jobs.withLock { jobs in
      guard jobs.count < room else { return false }
      jobs.append(job)
      return true
    }
  }

  /// Enqueues a job, even if the queue is full.
  package func assign(_ job: @escaping Job) { jobs.withLock { $0.append(job) } }

  /// Runs the oldest job; returns false if there is none.
  @discardableResult
  package func workOnce() -> Bool {
    let job = jobs.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    job?()
    return job != nil
  }

  /// Runs all jobs, including those that jobs enqueue.
  package func work() { while workOnce() {} }
}
