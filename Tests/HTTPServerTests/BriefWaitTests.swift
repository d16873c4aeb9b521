import Testing

@testable import HTTPServer

@Suite struct BriefWaitTests {
  /// A wait with a clock that advances by a microsecond at each reading.
  private struct Wait {
    var brief: BriefWait
    var time = 0

    init(microseconds: Int, processors: Int = 2) {
      brief = BriefWait(microseconds: microseconds, processors: processors)
    }

    /// Waits for an event after some polls; sleeping takes some microseconds.
    mutating func wait(looks: Int = .max, asleep: Int = 0) -> (looks: Int, hasSlept: Bool) {
      var time = time
      var done = 0
      var hasSlept = false
      brief.wait {
        time += 1_000
        return time
      } until: {
        done += 1
        return done >= looks
      } orAsleep: {
        hasSlept = true
        time += asleep * 1_000
      }
      self.time = time
      return (done, hasSlept)
    }
  }

  @Test func `a short wait ends without sleeping`() {
    var wait = Wait(microseconds: 50)
    for looks in [1, 2, 40] { #expect(wait.wait(looks: looks) == (looks, false)) }
  }

  @Test func `after a long wait, polling resumes only after a short one`() {
    var wait = Wait(microseconds: 50)
    let (looks, hasSlept) = wait.wait(asleep: 900)
    #expect((1...50).contains(looks) && hasSlept)
    for _ in 0..<3 { #expect(wait.wait(looks: 1, asleep: 900) == (0, true)) }
    #expect(wait.wait(looks: 1, asleep: 20) == (0, true))
    #expect(wait.wait(looks: 3) == (3, false))
  }

  @Test(arguments: [(0, 2), (50, 1)])
  func `polling is disabled by a limit of 0 and on one processor`(
    microseconds: Int,
    processors: Int
  ) {
    var wait = Wait(microseconds: microseconds, processors: processors)
    for _ in 0..<3 { #expect(wait.wait(looks: 1, asleep: 1) == (0, true)) }
  }
}
