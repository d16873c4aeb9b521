import TestSupport
import Testing

/// Replacing trees with forks changes no answer.
struct ForkTests {
  @Test(arguments: Served.profiles)
  func `sessions of trees that are often forked agree with the model`(
    profile: RandomProfile
  ) throws {
    for seed in Seed.seeds(count: 1) {
      let access = ForkedAccess(seed: seed)
      try DifferentialRun.run(
        seed: seed,
        steps: Seed.operations(default: 40),
        requiresNetRevisions: true,
        profile: profile
      ) { options in try RemoteSession(access, options: options) }
      #expect(access.forkCount > 0 || Seed.iterations(default: 0) > 0)
    }
  }

  @Test(arguments: Served.sharedProfiles)
  func `sessions over a shared tree that is often forked agree with the model`(
    profile: RandomProfile
  ) throws {
    for seed in Seed.seeds(count: 1) {
      try SharedTreeRun.run(
        seed: seed,
        steps: Seed.operations(default: 40),
        profile: profile,
        service: AccessService(access: ForkedAccess(seed: seed))
      )
    }
  }
}
