import Synchronization
import TestSupport
import Testing
import TreeDomain
import TreeStorage

@testable import TreeSessions

/// What is done to storage besides keeps no commit waiting for longer than once.
struct ErrandTests {
  /// Errands one after another, in each of which somebody has something to be committed.
  private final class Chain: Sendable {
    let desk = Desk()
    let storage = MemoryStorage()
    let queue: CommitQueue
    let clock = ManualClock()
    private let steps = Mutex<[Step]>([])

    enum Step {
      case errand
      case commit
    }

    init() {
      queue = CommitQueue(
        storage,
        maxBytes: 1 << 20,
        clock: { [clock] in clock.now },
        assign: { [desk] in desk.assign($0) }
      )
    }

    /// What happened since somebody asked.
    func takeSteps() -> [Step] {
      steps.withLock { steps in
        defer { steps = [] }
        return steps
      }
    }

    func commit() {
      let receipt = CommitReceipt()
      queue.add(CommitWork(changes: [], receipt: receipt, bytes: 8))
      receipt.whenSettled { [self] in steps.withLock { $0.append(.commit) } }
    }

    func begin(_ count: Int) {
      queue.addErrand { [self] in
        steps.withLock { $0.append(.errand) }
        commit()
        if count > 1 { begin(count - 1) }
      }
    }
  }

  @Test func `errands and commits take turns`() {
    let chain = Chain()
    chain.begin(3)
    #expect(chain.desk.count == 1 && chain.takeSteps() == [])
    chain.commit()
    #expect(chain.desk.count == 1)
    chain.desk.work()
    #expect(
      chain.takeSteps() == [.commit, .errand, .commit, .errand, .commit, .errand, .commit]
    )
  }

  @Test func `one waits at a time`() {
    let chain = Chain()
    chain.begin(1)
    chain.begin(1)
    chain.desk.work()
    #expect(chain.takeSteps() == [.errand, .commit])
    chain.begin(1)
    chain.desk.work()
    #expect(chain.takeSteps() == [.errand, .commit])
  }

  @Test func `one goes on while somebody gathers, and what he adds waits for him`() {
    let chain = Chain()
    chain.queue.beginGroup()
    chain.begin(2)
    chain.desk.work()
    #expect(chain.takeSteps() == [.errand, .errand])
    chain.queue.endGroup()
    chain.desk.work()
    #expect(chain.takeSteps() == [.commit, .commit])
  }

  @Test func `one that comes while storage is tried again is done after that`() throws {
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
    #expect(chain.takeSteps() == [.errand, .commit])
  }
}
