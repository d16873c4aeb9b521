import Dispatch
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import HTTPServer

/// Jobs on real threads.
@Suite struct `A scheduler` {
  @Test func `all jobs run, those of a tree one at a time`() throws {
    let scheduler = try Scheduler(permits: 3, maxQueued: 10)
    final class Count: Sendable { let value = Atomic(0) }
    let counts = (0..<4).map { _ in Count() }
    let overlaps = Atomic(0)
    let group = DispatchGroup()
    for number in 0..<400 {
      group.enter()
      let tree = number % 4
      scheduler.assign(WorkOwner(tree: tree)) { slot in
        if counts[tree].value.add(1, ordering: .relaxed).newValue > 1 {
          overlaps.add(1, ordering: .relaxed)
        }
        _ = slot.pause()
        counts[tree].value.subtract(1, ordering: .relaxed)
        group.leave()
      }
    }
    group.wait()
    #expect(overlaps.load(ordering: .relaxed) == 0)
    scheduler.stop()
  }

  @Test func `a job whose quantum is over lets others run and resumes`() throws {
    let scheduler = try Scheduler(permits: 1, maxQueued: 10)
    let isDone = Atomic(false)
    let hasBegun = DispatchSemaphore(value: 0)
    let end = DispatchSemaphore(value: 0)
    scheduler.assign(WorkOwner(tree: 1)) { slot in
      hasBegun.signal()
      // It ends only after the other job has run, although there is one permit.
      while !isDone.load(ordering: .acquiring) { _ = slot.pause() }
      end.signal()
    }
    hasBegun.wait()
    scheduler.assign(WorkOwner(tree: 2)) { _ in isDone.store(true, ordering: .releasing) }
    end.wait()
    scheduler.stop()
  }

  @Test func `submitting fails beyond the queue limit`() throws {
    let scheduler = try Scheduler(permits: 1, maxQueued: 1)
    let hasBegun = DispatchSemaphore(value: 0)
    let mayEnd = DispatchSemaphore(value: 0)
    #expect(
      scheduler.submit(WorkOwner()) { _ in
        hasBegun.signal()
        mayEnd.wait()
      }
    )
    hasBegun.wait()
    #expect(scheduler.submit(WorkOwner()) { _ in } && scheduler.isFull)
    #expect(!scheduler.submit(WorkOwner()) { _ in })
    mayEnd.signal()
    scheduler.stop()
    #expect(!scheduler.submit(WorkOwner()) { _ in })
  }

  @Test func `assigned jobs take no room of submitted ones`() throws {
    let scheduler = try Scheduler(permits: 1, maxQueued: 2)
    let hasBegun = DispatchSemaphore(value: 0)
    let mayEnd = DispatchSemaphore(value: 0)
    scheduler.assign(WorkOwner()) { _ in
      hasBegun.signal()
      mayEnd.wait()
    }
    hasBegun.wait()
    for tree in 0..<100 { scheduler.assign(WorkOwner(tree: tree)) { _ in } }
    #expect(!scheduler.isFull && scheduler.waiting == 100)
    #expect(scheduler.submit(WorkOwner()) { _ in } && scheduler.submit(WorkOwner()) { _ in })
    #expect(scheduler.isFull && !scheduler.submit(WorkOwner()) { _ in })
    mayEnd.signal()
    while scheduler.waiting > 0 { sched_yield() }
    #expect(!scheduler.isFull)
    scheduler.stop()
  }

  @Test func `stopping ends running and parked jobs at their next check`() throws {
    let scheduler = try Scheduler(permits: 1, maxQueued: 10)
    let ended = Atomic(0)
    let hasBegun = DispatchSemaphore(value: 0)
    for tree in 0..<3 {
      scheduler.assign(WorkOwner(tree: tree)) { slot in
        hasBegun.signal()
        while !slot.isStopping { _ = slot.pause() }
        ended.add(1, ordering: .relaxed)
      }
    }
    for _ in 0..<3 { hasBegun.wait() }
    scheduler.stop()
    #expect(ended.load(ordering: .relaxed) == 3)
  }
}
