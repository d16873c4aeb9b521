import TestSupport
import Testing

/// A batch that was prepared before others, and comes after them, changes no answer.
struct RebaseTests {
  private static let seeds = Seed.seeds(count: 1)

  @Test(arguments: Served.profiles)
  func `batches that come after others made meanwhile agree with the model`(
    profile: RandomProfile
  ) throws {
    for seed in Self.seeds {
      let access = RebasedAccess(seed: seed)
      try DifferentialRun.run(
        seed: seed,
        steps: Seed.operations(default: 20),
        requiresNetRevisions: true,
        profile: profile
      ) { options in try RemoteSession(access, options: options) }
    }
  }

  @Test(arguments: Served.sharedProfiles)
  func `batches to a shared tree that come after others agree with the model`(
    profile: RandomProfile
  ) throws {
    var rebases = 0
    for seed in Self.seeds {
      let access = RebasedAccess(seed: seed)
      try SharedTreeRun.run(
        seed: seed,
        steps: Seed.operations(default: 40),
        profile: profile,
        service: AccessService(access: access)
      )
      rebases += access.rebases
    }
    if profile.description == RandomProfile.plain.description {
      #expect(rebases > 0 || Seed.iterations(default: 0) > 0)
    }
  }
}
