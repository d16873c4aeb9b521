import HTTP
import TestSupport
import Testing

/// That sessions sleep and wake shows in no answer, but that what changed before is told no more.
struct SleepTests {
  @Test(arguments: Served.profiles)
  func `sessions that sleep now and then agree with the model`(profile: RandomProfile) throws {
    for seed in Seed.seeds(count: 1) {
      let access = SleepyAccess(seed: seed)
      try DifferentialRun.run(
        seed: seed &+ 9_000,
        steps: Seed.operations(default: 40),
        requiresNetRevisions: true,
        forgetsHistory: true,
        profile: profile
      ) { options in try RemoteSession(access, options: options) }
      #expect(access.lulled > 0)
    }
  }

  @Test(arguments: Served.sharedProfiles)
  func `sessions over a shared tree that sleep now and then agree with the model`(
    profile: RandomProfile
  ) throws {
    for seed in Seed.seeds(count: 1) {
      let access = SleepyAccess(seed: seed)
      try SharedTreeRun.run(
        seed: seed &+ 9_000,
        steps: Seed.operations(default: 40),
        profile: profile,
        service: AccessService(access: access),
        forgetsHistory: true
      )
      #expect(access.lulled > 0)
    }
  }
}
