import TestSupport
import Testing
import TreeDomain

@testable import TreeSessions

/// Checks that a request stopped at any check leaves no changes, and can be repeated.
@Suite struct `Stopped work` {
  @Test(arguments: Seed.seeds(count: 8))
  func `changes nothing, and has the same result when it is repeated`(seed: UInt64) throws {
    var load = StoppedLoad(random: SeededGenerator(seed: seed), hasSections: seed % 2 == 0)
    var stopped = try StoppedBench(hasSections: load.hasSections)
    var plain = try StoppedBench(hasSections: load.hasSections)
    var stops = 0
    for step in 0..<50 {
      let request = try load.request(sessions: stopped.sessions.count)
      let context = "SEED=\(seed) step \(step) \(request.name)"
      let before = try stopped.picture()
      for bench in [stopped, plain] { try bench.prepare(request) }
      let control = LastCheck(after: load.random.number(in: 0...60))
      let outcome = stopped.answer(request, key: step, control)
      let expected = plain.answer(request, key: step, nil)
      if case .failure(let error) = outcome, error.detail == LastCheck.detail {
        stops += 1
        #expect(stopped.follower.next() == nil, "\(context)")
        #expect(try stopped.isAsleep(request.sleeper) == (request.sleeper != nil), "\(context)")
        if request.sleeper == nil { #expect(try stopped.picture() == before, "\(context)") }
        let again = stopped.answer(request, key: step, nil)
        #expect(again == expected, "\(context)")
      } else {
        #expect(outcome == expected, "\(context)")
      }
      #expect(try stopped.picture() == plain.picture(), "\(context)")
      while stopped.follower.next() != nil {}
      while plain.follower.next() != nil {}
    }
    #expect(stops > 0)
  }
}
