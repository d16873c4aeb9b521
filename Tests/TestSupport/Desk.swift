import Synchronization

/// Keeps work until a test has it done.
public final class Desk: Sendable {
  /// A piece of work.
  public typealias Job = @Sendable () -> Void

  private let jobs = Mutex<[Job]>([])
  private let room: Int

  /// A desk with room for so many jobs.
  public init(room: Int = .max) { self.room = room }

  /// How many jobs lie there.
  public var count: Int { jobs.withLock { $0.count } }

  /// Puts a job on the desk; false if there is no room.
  public func take(_ job: @escaping Job) -> Bool {
    jobs.withLock { jobs in
      guard jobs.count < room else { return false }
      jobs.append(job)
      return true
    }
  }

  /// Puts a job on the desk, however full it is.
  public func assign(_ job: @escaping Job) { jobs.withLock { $0.append(job) } }

  /// Does the oldest job; false if there is none.
  @discardableResult
  public func workOnce() -> Bool {
    let job = jobs.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    job?()
    return job != nil
  }

  /// Does all jobs, and those that come of them.
  public func work() { while workOnce() {} }
}
