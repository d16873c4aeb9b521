import Synchronization
import TestSupport
import Testing
import TreeDomain
import TreeStorage

@testable import TreeSessions

/// A commit waits for at most one background task.
struct ErrandTests {
  /// Background tasks in sequence, each of which adds a commit.
  private final class Chain: Sendable {
    let desk = Desk()
    let storage = MemoryStorage()
    let queue: CommitQueue
    let clock = ManualClock()
    private let steps = Mutex<[Step]>([])

    enum Step {
      case task
      case commit
    }

    init() {
      queue = CommitQueue(
        storage,
        unwritten: UnwrittenBytes(limit: 1 << 20),
        clock: { [clock] in clock.now },
        assign: { [desk] in desk.assign($0) }
      )
    }

    /// Returns the steps since the last call.
    func takeSteps() -> [Step] {
      steps.withLock { steps in
        defer { steps = [] }
        return steps
      }
    }

    func commit() {
      let receipt = CommitReceipt()
      queue.add(CommitWork(changes: [], receipt: receipt, bytes: 8))
      receipt.whenResolved { [self] in steps.withLock { $0.append(.commit) } }
    }

    func begin(_ count: Int) {
      queue.addTask { [self] in
        steps.withLock { $0.append(.task) }
        commit()
        if count > 1 { begin(count - 1) }
      }
    }
  }

  @Test func `background tasks and commits alternate`() {
    let chain = Chain()
    chain.begin(3)
    #expect(chain.desk.count == 1 && chain.takeSteps() == [])
    chain.commit()
    #expect(chain.desk.count == 1)
    chain.desk.work()
    #expect(
      chain.takeSteps() == [.commit, .task, .commit, .task, .commit, .task, .commit]
    )
  }

  @Test func `at most one background task waits`() {
    let chain = Chain()
    chain.begin(1)
    chain.begin(1)
    chain.desk.work()
    #expect(chain.takeSteps() == [.task, .commit])
    chain.begin(1)
    chain.desk.work()
    #expect(chain.takeSteps() == [.task, .commit])
  }

  @Test func `background tasks run during a group, and the commits they add wait for its end`() {
    let chain = Chain()
    chain.queue.beginGroup()
    chain.begin(2)
    chain.desk.work()
    #expect(chain.takeSteps() == [.task, .task])
    chain.queue.endGroup()
    chain.desk.work()
    #expect(chain.takeSteps() == [.commit, .commit])
  }

  @Test func `a background task that is added during a probe runs after it`() throws {
    let chain = Chain()
    chain.storage.fail(.full("no room"))
    chain.commit()
    chain.desk.work()
    chain.storage.fail(nil)
    chain.clock.now += 2
    #expect(throws: ServiceError.self) { try chain.queue.admit() }
    chain.begin(1)
    #expect(chain.desk.count == 1)
    #expect(chain.takeSteps() == [.commit])
    chain.desk.work()
    #expect(chain.takeSteps() == [.task, .commit])
  }
}
