import HTTP
import Synchronization
import Testing
import TreeDomain

@testable import TreeAPI

struct MovedWorkTests {
  /// An executor that runs its work on request.
  private final class Shelf: WorkExecutor {
    private let jobs = Mutex<[Job]>([])

    func submit(_ job: Job) -> Bool {
      jobs.withLock { $0.append(job) }
      return true
    }

    func work() {
      let jobs = jobs.withLock { jobs in
        defer { jobs = [] }
        return jobs
      }
      for job in jobs { job.run(on: UnscheduledSlot(), of: self) }
    }
  }

  @Test func `work that waits for another executor can be withdrawn`() throws {
    let (first, second) = (Shelf(), Shelf())
    let runs = Mutex(0)
    let reply = WorkerAnswer.reply(on: first, { Job($0) }) { attempt throws(ServiceError) in
      guard attempt.runs(on: second) else { throw attempt.refuse(to: second) }
      runs.withLock { $0 += 1 }
      return .response(Response(.noContent))
    }
    guard case .later(let answer) = reply else {
      Issue.record("it is answered at once")
      return
    }
    first.work()
    #expect(answer.withdraw())
    second.work()
    #expect(runs.withLock { $0 } == 0)
  }
}
