import TestSupport
import Testing
import TreeSessions

/// A service that is started anew in the middle of everything agrees with the model, which never
/// is: sessions, revisions, history and what is kept for retries are there again.
struct RestartTests {
  /// Snapshots are written after a few entries, so that what is read is mostly one of them.
  private static let limits: SessionLimits = {
    var limits = SessionLimits()
    limits.snapshotEntries = 5
    return limits
  }()

  @Test(arguments: Served.profiles)
  func `private trees are the same after a restart`(profile: RandomProfile) throws {
    for seed in Seed.seeds(count: 2) {
      let access = try RestartingAccess(
        every: 10,
        limits: seed % 2 == 0 ? Self.limits : SessionLimits()
      )
      try DifferentialRun.run(
        seed: seed &+ 7_000,
        steps: Seed.operations(default: 25),
        requiresNetRevisions: true,
        profile: profile
      ) { options in try RemoteSession(access, options: options) }
    }
  }

  @Test(arguments: Served.sharedProfiles)
  func `shared trees are the same after a restart`(profile: RandomProfile) throws {
    for seed in Seed.seeds(count: 2) {
      let access = try RestartingAccess(
        every: 23,
        limits: seed % 2 == 0 ? Self.limits : SessionLimits()
      )
      try SharedTreeRun.run(
        seed: seed &+ 7_000,
        steps: Seed.operations(default: 25),
        profile: profile,
        service: AccessService(access: access)
      )
    }
  }
}
