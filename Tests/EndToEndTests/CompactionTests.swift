import TestSupport
import Testing

/// Compaction, which renumbers the nodes of a tree, changes no answer.
struct CompactionTests {
  @Test(arguments: Served.profiles)
  func `sessions of trees that are often compacted agree with the model`(
    profile: RandomProfile
  ) throws {
    for seed in Seed.seeds(count: 1) {
      let access = CompactingAccess(every: 3)
      try DifferentialRun.run(
        seed: seed,
        steps: Seed.operations(default: 40),
        requiresNetRevisions: true,
        profile: profile
      ) { options in try RemoteSession(access, options: options) }
    }
  }

  @Test(arguments: Served.sharedProfiles)
  func `sessions over a shared tree that is often compacted agree with the model`(
    profile: RandomProfile
  ) throws {
    for seed in Seed.seeds(count: 1) {
      try SharedTreeRun.run(
        seed: seed,
        steps: Seed.operations(default: 40),
        profile: profile,
        service: AccessService(access: CompactingAccess(every: 3))
      )
    }
  }
}
