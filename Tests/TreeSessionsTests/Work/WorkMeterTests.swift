import Synchronization
import Testing
import TreeDomain

@testable import TreeSessions

@Suite struct WorkMeterTests {
  /// A control that stops work after a number of checks.
  private final class Patience: WorkControl {
    private let left: Mutex<Int>

    init(checks: Int) { left = Mutex(checks) }

    func check() throws(ServiceError) {
      let isOver = left.withLock { left in
        left -= 1
        return left < 0
      }
      if isOver { throw ServiceError(.overloaded, "enough") }
    }
  }

  @Test func `the control is checked once per interval`() throws {
    let meter = WorkMeter()
    meter.begin(Patience(checks: 2))
    for _ in 0..<(3 * WorkMeter.interval - 1) { try meter.count() }
    #expect(throws: ServiceError.self) { try meter.count() }
  }

  @Test func `many steps can be counted at once`() throws {
    let meter = WorkMeter()
    meter.begin(Patience(checks: 0))
    try meter.count(WorkMeter.interval - 1)
    #expect(throws: ServiceError.self) { try meter.count(1_000_000) }
  }

  @Test func `too many steps at once are refused on an event loop only`() throws {
    let meter = WorkMeter()
    let attempt = Attempt { 0 }
    meter.begin(trying: attempt)
    for _ in 0..<10 { try meter.count(5 * WorkMeter.interval - 1) }
    #expect(!attempt.isRefused)
    #expect(throws: ServiceError.self) { try meter.count(6 * WorkMeter.interval) }
    #expect(attempt.isRefused)
    meter.begin(Patience(checks: 1))
    try meter.count(6 * WorkMeter.interval)
  }

  @Test func `work without a control is never stopped`() throws {
    let meter = WorkMeter()
    for _ in 0..<10 { try meter.count(1_000_000) }
  }
}
