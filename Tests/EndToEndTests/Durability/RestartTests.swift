import TestSupport
import Testing

/// A service that is started anew in the middle of everything agrees with the model, which never
/// is: sessions, revisions, history and what is kept for retries are there again.
struct RestartTests {
  @Test(arguments: Served.profiles)
  func `private trees are the same after a restart`(profile: RandomProfile) throws {
    for seed in Seed.seeds(count: 6) {
      let access = try RestartingAccess(every: 3)
      try DifferentialRun.run(
        seed: seed &+ 7_000,
        steps: Seed.operations(default: 40),
        requiresNetRevisions: true,
        profile: profile
      ) { options in try RemoteSession(access, options: options) }
    }
  }

  @Test(arguments: Served.sharedProfiles)
  func `shared trees are the same after a restart`(profile: RandomProfile) throws {
    for seed in Seed.seeds(count: 6) {
      try SharedTreeRun.run(
        seed: seed &+ 7_000,
        steps: Seed.operations(default: 40),
        profile: profile,
        service: AccessService(access: RestartingAccess(every: 7))
      )
    }
  }
}
