import Testing
import TreeSessions

@testable import Composition

@Suite struct `What the configuration gives to the sessions` {
  @Test func `the built-in configuration gives their own defaults`() {
    #expect(Configuration().sessionLimits == SessionLimits())
  }

  @Test(arguments: [
    "maxSessions", "maxNodesPerTree", "maxMemoryBytes", "maxDepth", "maxChanges", "maxJSONDepth",
    "maxObjectBytes", "maxTrees", "maxSections", "maxUndoBytes",
    "maxExpansionRulesPerTree", "maxViewSortsPerTree", "maxExpiredSessions", "maxReplays",
    "maxReplayBytes",
    "replaySeconds", "maxFollowers",
    "maxQueuedEvents", "maxQueuedEventBytes",
    "maxHistoryCommits", "maxHistoryRows", "maxHistoryRemovedNodes", "maxHistoryReadings",
    "maxHistoryListedRows", "maxWaitingCalls", "maxWaitingCallsPerTree",
    "maxFollowersPerSession", "maxQueuedEventBytesInAll", "maxHistoryRowsPerTree",
    "maxAnswerBytes", "maxAncestors", "maxAncestorBytes", "maxExports", "maxExportsPerTree",
    "idleTreeSeconds", "idleSessionSeconds", "maxIdleViewsPerTree",
  ])
  func `each limit reaches them`(name: String) throws {
    let setting = try #require(Setting.all.first { $0.name == name })
    var configuration = Configuration()
    try setting.apply(setting.sample, from: name, to: &configuration)
    #expect(configuration.sessionLimits != SessionLimits())
  }
}
