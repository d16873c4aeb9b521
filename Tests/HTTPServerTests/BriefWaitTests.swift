import Testing

@testable import HTTPServer

@Suite struct BriefWaitTests {
  /// A clock that goes on by a microsecond at each reading, and what was done meanwhile.
  private struct Wait {
    var brief: BriefWait
    var time = 0

    init(microseconds: Int, processors: Int = 2) {
      brief = BriefWait(microseconds: microseconds, processors: processors)
    }

    /// Waits for what is there after so many looks; asleep it takes so many microseconds.
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

  @Test func `what comes soon is found without sleeping`() {
    var wait = Wait(microseconds: 50)
    for looks in [1, 2, 40] { #expect(wait.wait(looks: looks) == (looks, false)) }
  }

  @Test func `what takes longer is slept for, and not looked for until a wait was brief`() {
    var wait = Wait(microseconds: 50)
    let (looks, hasSlept) = wait.wait(asleep: 900)
    #expect((1...50).contains(looks) && hasSlept)
    for _ in 0..<3 { #expect(wait.wait(looks: 1, asleep: 900) == (0, true)) }
    #expect(wait.wait(looks: 1, asleep: 20) == (0, true))
    #expect(wait.wait(looks: 3) == (3, false))
  }

  @Test(arguments: [(0, 2), (50, 1)])
  func `nobody looks who may not, or would be in the way`(microseconds: Int, processors: Int) {
    var wait = Wait(microseconds: microseconds, processors: processors)
    for _ in 0..<3 { #expect(wait.wait(looks: 1, asleep: 1) == (0, true)) }
  }
}
