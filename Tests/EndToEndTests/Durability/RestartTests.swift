import TestSupport
import Testing
import TreeSessions

/// Compares a service that is restarted often with the model, which never is. Sessions, revisions,
/// history and retry records survive.
struct RestartTests {
  /// Limits that write a snapshot after a few entries, so that most restarts read one.
  private static let limits: SessionLimits = {
    var limits = SessionLimits()
    limits.snapshotEntries = 5
    return limits
  }()

  @Test(arguments: Served.profiles)
  func `private trees survive restarts`(profile: RandomProfile) throws {
    for seed in Seed.seeds(count: 1) {
      let access = try RestartingAccess(
        every: 10,
        limits: seed % 2 == 0 ? Self.limits : SessionLimits()
      )
      try DifferentialRun.run(
        seed: seed &+ 7_000,
        steps: Seed.operations(default: 20),
        requiresNetRevisions: true,
        profile: profile
      ) { options in try RemoteSession(access, options: options) }
    }
  }

  @Test(arguments: Served.sharedProfiles)
  func `shared trees survive restarts`(profile: RandomProfile) throws {
    for seed in Seed.seeds(count: 1) {
      let access = try RestartingAccess(
        every: 23,
        limits: seed % 2 == 0 ? Self.limits : SessionLimits()
      )
      try SharedTreeRun.run(
        seed: seed &+ 7_000,
        steps: Seed.operations(default: 20),
        profile: profile,
        service: AccessService(access: access)
      )
    }
  }
}
