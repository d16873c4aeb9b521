import Dispatch
import Glibc
import HTTP
import Synchronization
import Testing

@testable import HTTPServer

@Suite struct WorkerPoolTests {
  @Test(arguments: [0, 1_000])
  func `every accepted job runs once`(spinMicroseconds: Int) throws {
    let pool = try WorkerPool(
      threads: 3,
      maxQueued: 10_000,
      maxSpinMicroseconds: spinMicroseconds
    )
    defer { pool.stop() }
    let done = Mutex([Int](repeating: 0, count: 10_000))
    let all = DispatchGroup()
    for index in 0..<10_000 {
      all.enter()
      #expect(
        pool.submit {
          done.withLock { $0[index] += 1 }
          all.leave()
        }
      )
    }
    #expect(all.wait(timeout: .now() + 10) == .success)
    #expect(done.withLock { $0.allSatisfy { $0 == 1 } })
  }

  @Test(.enabled(if: Syscalls.processorCount() > 1))
  func `a polling thread gets jobs without sleeping`() throws {
    let pool = try WorkerPool(threads: 1, maxQueued: 1, maxSpinMicroseconds: 60_000_000)
    defer { pool.stop() }
    let sleeps = Mutex<[Int]>([])
    let count = 10_000
    for number in 1...count {
      #expect(pool.submit { sleeps.withLock { $0.append(sleepsOfThisThread()) } })
      while sleeps.withLock({ $0.count }) < number { sched_yield() }
    }
    let (first, last) = try sleeps.withLock { try (#require($0.first), #require($0.last)) }
    // A contended lock may make it sleep once.
    #expect(last - first < 5)
  }

  @Test func `stopping waits for the running job and discards queued ones`() throws {
    let pool = try WorkerPool(threads: 1, maxQueued: .max)
    let isBusy = DispatchSemaphore(value: 0)
    let mayGoOn = DispatchSemaphore(value: 0)
    let done = Mutex<[String]>([])
    #expect(
      pool.submit {
        isBusy.signal()
        mayGoOn.wait()
        done.withLock { $0.append("under way") }
      }
    )
    #expect(isBusy.wait(timeout: .now() + 10) == .success)
    #expect(pool.submit { done.withLock { $0.append("waiting") } })
    let stopped = DispatchSemaphore(value: 0)
    DispatchQueue.global().async {
      pool.stop()
      stopped.signal()
    }
    // It rejects jobs as soon as it starts to stop.
    while pool.submit({}) {}
    mayGoOn.signal()
    #expect(stopped.wait(timeout: .now() + 10) == .success)
    #expect(done.withLock { $0 } == ["under way"])
  }

  @Test func `a full or stopped pool rejects jobs`() throws {
    let pool = try WorkerPool(threads: 1, maxQueued: 2)
    let isBusy = DispatchSemaphore(value: 0)
    let mayGoOn = DispatchSemaphore(value: 0)
    #expect(
      pool.submit {
        isBusy.signal()
        mayGoOn.wait()
      }
    )
    #expect(isBusy.wait(timeout: .now() + 10) == .success)
    #expect(pool.submit {})
    #expect(pool.submit {})
    #expect(!pool.submit {})
    mayGoOn.signal()
    pool.stop()
    #expect(!pool.submit {})
    pool.stop()
  }

  @Test func `jobs run on different threads`() throws {
    let pool = try WorkerPool(threads: 2, maxQueued: 10)
    defer { pool.stop() }
    let first = DispatchSemaphore(value: 0)
    let second = DispatchSemaphore(value: 0)
    let met = DispatchSemaphore(value: 0)
    // Each job waits for the other, which a single thread could not serve.
    for (own, other) in [(first, second), (second, first)] {
      #expect(
        pool.submit {
          other.signal()
          if own.wait(timeout: .now() + 10) == .success { met.signal() }
        }
      )
    }
    for _ in 0..<2 { #expect(met.wait(timeout: .now() + 10) == .success) }
  }

  @Test func `the result of a job reaches the client`() throws {
    let pool = try WorkerPool(threads: 2, maxQueued: 1_000)
    defer { pool.stop() }
    let answers = (0..<50).map { _ in HeldAnswer() }
    try withServer(handler: LateHandler(answers: answers)) { server in
      let clients = answers.map { _ in Client(port: server.port) }
      for (index, client) in clients.enumerated() { client.send(get("/late/\(index)")) }
      for (index, answer) in answers.enumerated() {
        #expect(
          pool.submit {
            _ = answer.waitForStart()
            answer.give(.answer(Response(.ok, body: Array("<\(index)>".utf8))))
          }
        )
      }
      for (index, client) in clients.enumerated() {
        #expect(client.read(endingIn: ">").hasSuffix("<\(index)>"))
      }
    }
  }
}

/// Returns the number of times that the calling thread has fallen asleep.
private func sleepsOfThisThread() -> Int {
  var usage = rusage()
  // RUSAGE_THREAD, which Swift does not import (getrusage(2)).
  unsafe getrusage(__rusage_who_t(1), &usage)
  return usage.ru_nvcsw
}
