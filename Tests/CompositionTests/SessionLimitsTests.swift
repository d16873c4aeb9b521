import Testing
import TreeEngine
import TreeSessions

@testable import Composition

@Suite struct `What the configuration gives to the sessions` {
  @Test func `the built-in configuration gives their own defaults`() {
    #expect(Configuration().sessionLimits == SessionLimits())
  }

  @Test(arguments: [
    "maxSessions", "maxNodesPerTree", "maxMemoryBytes", "maxDepth", "maxChanges", "maxObjectBytes",
    "maxTrees", "maxUndoBytes", "maxReplayBytes", "replaySeconds", "maxFollowers",
    "maxQueuedEvents", "maxHistoryCommits", "maxHistoryRows", "maxWaitingCalls", "maxAnswerBytes",
    "idleTreeSeconds", "idleSessionSeconds", "maxIdleViewsPerTree", "snapshotBytes",
    "snapshotEntries",
  ])
  func `each limit reaches them`(name: String) throws {
    let setting = try #require(Setting.all.first { $0.name == name })
    var configuration = Configuration()
    try setting.apply(setting.sample, from: name, to: &configuration)
    #expect(configuration.sessionLimits != SessionLimits())
  }

  @Test func `limits that depend on others grow with them`() throws {
    let limits = try resolved([
      "--max-waiting-calls", "16", "--max-followers", "40", "--max-queued-events", "2",
      "--max-history-rows", "100",
    ]).sessionLimits
    #expect(limits.maxWaitingCallsPerTree == 4)
    #expect(limits.maxFollowersPerSession == 10)
    #expect(limits.maxQueuedEventBytes == 8_192)
    #expect(limits.history.totalRows == 5_000)
    #expect(limits.history.removedNodes == 500)
    #expect(limits.history.readings == 500)
    #expect(limits.history.listedRows == 5)
  }
}
