import Synchronization
import Testing

@testable import TreeSessions

@Suite struct UpkeepQueueTests {
  @Test func `tasks that are done at once follow each other without growing the stack`() {
    let queue = UpkeepQueue()
    let count = Atomic(0)
    queue.add(
      (0..<200_000).map { _ in
        { done in
          count.add(1, ordering: .relaxed)
          done()
        }
      }
    )
    #expect(count.load(ordering: .relaxed) == 200_000 && queue.isEmpty)
  }

  @Test func `few tasks run at a time, in order`() {
    let queue = UpkeepQueue()
    let running = Mutex([(number: Int, done: @Sendable () -> Void)]())
    let started = Mutex([Int]())
    queue.add(
      (0..<100).map { number in
        { done in
          started.withLock { $0.append(number) }
          running.withLock { $0.append((number, done)) }
        }
      }
    )
    var most = 0
    while let task = running.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
      #expect(!queue.isEmpty)
      most = max(most, running.withLock(\.count) + 1)
      task.done()
    }
    #expect(started.withLock(\.self) == Array(0..<100) && most == 4 && queue.isEmpty)
  }

  @Test func `a task may add tasks`() {
    let queue = UpkeepQueue()
    let count = Atomic(0)
    queue.add([
      { done in
        queue.add([
          { done in
            count.add(1, ordering: .relaxed)
            done()
          }
        ])
        done()
      }
    ])
    #expect(count.load(ordering: .relaxed) == 1 && queue.isEmpty)
  }
}
