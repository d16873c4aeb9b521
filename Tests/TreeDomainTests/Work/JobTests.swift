import Synchronization
import Testing
import TreeDomain

@Suite struct `The work of a request` {
  /// A slot with a clock that the test sets.
  private final class Slot: WorkSlot {
    private let nanoseconds = Atomic(0)
    private let stopping = Atomic(false)

    var isStopping: Bool { stopping.load(ordering: .relaxed) }

    func pause() -> Int { nanoseconds.load(ordering: .relaxed) }

    func use(seconds: Int) { nanoseconds.add(seconds * 1_000_000_000, ordering: .relaxed) }

    func stop() { stopping.store(true, ordering: .relaxed) }
  }

  private final class Executor: WorkExecutor {
    func submit(_ job: Job) -> Bool { false }
  }

  private func refusal(_ job: Job?) -> ServiceError? {
    do throws(ServiceError) {
      try job?.check()
      return nil
    } catch {
      return error
    }
  }

  @Test func `stops when its processor time on all executors together is used up`() {
    let slots = [Slot(), Slot(), Slot()]
    let round = Atomic(0)
    let errors = Mutex<[ServiceErrorCode?]>([])
    let job = Job(maxSeconds: 5) { attempt in
      let slot = slots[round.add(1, ordering: .relaxed).oldValue]
      slot.use(seconds: 2)
      let error = refusal(attempt.job)
      if error != nil { #expect(error?.limit == 5) }
      errors.withLock { $0.append(error?.code) }
    }
    for slot in slots { job.run(on: slot, of: Executor()) }
    #expect(errors.withLock { $0 } == [nil, nil, .contentTooLarge])
  }

  @Test func `stops when its client is gone or the service ends`() {
    let slot = Slot()
    let errors = Mutex<[ServiceErrorCode?]>([])
    let job = Job { attempt in
      let error = refusal(attempt.job)
      errors.withLock { $0.append(error?.code) }
    }
    job.run(on: slot, of: Executor())
    slot.stop()
    job.run(on: slot, of: Executor())
    job.cancel()
    job.run(on: Slot(), of: Executor())
    #expect(errors.withLock { $0 } == [nil, .overloaded, .overloaded])
  }

  @Test func `is stopped on an event loop after its time, with an executor to continue at`() {
    let time = Atomic(0)
    let attempt = Attempt { time.load(ordering: .relaxed) }
    func check() -> Bool {
      do throws(ServiceError) {
        try attempt.check()
        return true
      } catch {
        return false
      }
    }
    // The time counts from the first check.
    time.store(5_000_000, ordering: .relaxed)
    #expect(check() && !attempt.mayWait)
    time.add(Attempt.maxNanoseconds - 1, ordering: .relaxed)
    #expect(check() && !attempt.isRefused)
    time.add(1, ordering: .relaxed)
    #expect(!check() && attempt.isRefused && attempt.next == nil)
    let (executor, other) = (Executor(), Executor())
    attempt.goOn(at: executor)
    attempt.goOn(at: other)
    #expect(attempt.next === executor)
    attempt.forgetRefusal()
    #expect(!attempt.isRefused && attempt.next == nil)
  }
}
