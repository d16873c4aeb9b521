import HTTP
import TestSupport
import Testing

/// Sleep changes no answer, except that the history of a session that slept is gone.
struct SleepTests {
  @Test(arguments: Served.profiles)
  func `sessions that sleep at times agree with the model`(profile: RandomProfile) throws {
    for seed in Seed.seeds(count: 1) {
      let access = SleepyAccess(seed: seed)
      try DifferentialRun.run(
        seed: seed &+ 9_000,
        steps: Seed.operations(default: 25),
        requiresNetRevisions: true,
        forgetsHistory: true,
        profile: profile
      ) { options in try RemoteSession(access, options: options) }
      #expect(access.sleepCount > 0)
    }
  }

  @Test(arguments: Served.sharedProfiles)
  func `sessions over a shared tree that sleep at times agree with the model`(
    profile: RandomProfile
  ) throws {
    for seed in Seed.seeds(count: 1) {
      let access = SleepyAccess(seed: seed)
      try SharedTreeRun.run(
        seed: seed &+ 9_000,
        steps: Seed.operations(default: 25),
        profile: profile,
        service: AccessService(access: access),
        forgetsHistory: true
      )
      #expect(access.sleepCount > 0)
    }
  }
}
