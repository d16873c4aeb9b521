import TestSupport
import Testing

/// Compares all answers of the service with the model, over each transport.
struct DifferentialTests {
  @Test(arguments: Reach.allCases, Served.profiles)
  func `random sessions agree with the model`(reach: Reach, profile: RandomProfile) throws {
    try reach.withAccess { access in
      for seed in Seed.seeds(count: reach == .router ? 3 : 1) {
        try DifferentialRun.run(
          seed: seed,
          steps: Seed.operations(default: reach == .router ? 30 : 20),
          requiresNetRevisions: true,
          profile: profile
        ) { options in try RemoteSession(access, options: options) }
      }
    }
  }

  @Test(arguments: Served.sharedProfiles)
  func `sessions over a shared tree agree with the model`(profile: RandomProfile) throws {
    for seed in Seed.seeds(count: 2) {
      try Reach.router.withAccess { access in
        try SharedTreeRun.run(
          seed: seed,
          steps: Seed.operations(default: 40),
          profile: profile,
          service: AccessService(access: access)
        )
      }
    }
  }

  @Test(arguments: Served.sharedProfiles)
  func `sessions over a shared tree and their events agree with the model`(
    profile: RandomProfile
  ) throws {
    for seed in Seed.seeds(count: 1) {
      try withServer { port in
        try SharedTreeRun.run(
          seed: seed,
          steps: Seed.operations(default: 40),
          profile: profile,
          service: AccessService(access: SocketAccess(port: port)),
          events: SocketEvents(port: port)
        )
      }
    }
  }

  @Test(arguments: Served.profiles)
  func `sessions over private trees and their events agree with the model`(
    profile: RandomProfile
  ) throws {
    for seed in Seed.seeds(count: 1) {
      try withServer { port in
        let access = SocketAccess(port: port)
        try DifferentialRun.run(
          seed: seed &+ 500,
          steps: Seed.operations(default: 30),
          requiresNetRevisions: true,
          profile: profile,
          events: { session in
            (session as? RemoteSession).map { ($0.path, SocketEvents(port: port)) }
          }
        ) { options in try RemoteSession(access, options: options) }
      }
    }
  }

  @Test(arguments: Reach.allCases)
  func `requests of one operation agree with the model`(reach: Reach) throws {
    let tally = Tally()
    try reach.withAccess { access in
      for seed in Seed.seeds(count: reach == .router ? 5 : 2) {
        try DifferentialRun.run(
          seed: seed &+ 1_000,
          steps: Seed.operations(default: reach == .router ? 30 : 20),
          requiresNetRevisions: true
        ) { options in
          SingleFormSession(session: try RemoteSession(access, options: options), tally: tally)
        }
      }
    }
    // The socket runs use too few seeds to send every form.
    guard reach == .router, Seed.iterations(default: 0) == 0 else { return }
    let unused = SingleForm.names.subtracting(tally.counts.keys)
    #expect(unused.isEmpty, "never sent: \(unused)")
  }

  /// Tests PUT of an existing node, which has no operation of its own: it is an update and a move.
  @Test(arguments: Reach.allCases)
  func `PUT of an existing node updates and moves it`(reach: Reach) throws {
    let tally = Tally()
    try reach.withAccess { access in
      for seed in Seed.seeds(count: 8) {
        var twins = try PutTwins(access, seed: seed, tally: tally)
        for _ in 0..<Seed.operations(default: 60) { try twins.step() }
      }
    }
    let moved = tally.counts["moved", default: 0]
    let stayed = tally.counts["stayed under its parent", default: 0]
    #expect((moved > 0 && stayed > 0) || Seed.iterations(default: 0) > 0)
  }
}

/// Counts the cases that a random test met, so that it cannot pass without trying any.
final class Tally {
  private(set) var counts: [String: Int] = [:]

  func count(_ name: String) {
    counts[name, default: 0] += 1
  }
}
