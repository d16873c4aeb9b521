internal import HTTP
internal import HTTPServer
internal import TreeAPI

/// All settings of the service, with their defaults.
///
/// Range and description of a setting are in ``Setting/all``. Its flag and environment variable are
/// derived from the name. Other modules have limits and options of their own, which are set from
/// here, so that they do not depend on this type.
struct Configuration: Equatable, Sendable {
  // Addresses and threads.
  var host = "127.0.0.1"
  var port = 8_080
  var unixSocket = ""
  var unixSocketMode = "600"
  var loops = 0
  var workers = 4
  var workerNiceness = 10
  var maxWaitingJobs = 256
  var maxWaitingCalls = 1_024
  var maxWaitingCallsPerTree = 256
  var maxRequestSeconds = 30
  var maxSpinMicroseconds = 500
  var allowUnauthenticatedRemote = false
  var keysFile = ""
  var corsOrigins = ""
  var allowedHosts = ""
  var explorer = true

  // Limits of one HTTP message or connection.
  var maxConnections = 16_384
  var maxConnectionsPerAddress = 64
  var maxRefusedCredentialsPerAddress = 60
  var acceptBacklog = 512
  var maxRequestsPerConnection = 1_000
  var maxRequestLineBytes = 8_192
  var maxHeaderBytes = 32_768
  var maxHeaderFields = 100
  var maxChunkOverheadBytes = 8_192
  var maxBodyBytes = 16_777_216
  var maxImportBytes = 4_294_967_296
  var maxHeldImportBytes = 4_294_967_296
  var heavyBodyBytes = 65_536
  var maxUnreadBytes = 65_536
  var maxBufferedBytes = 268_435_456
  var maxLingerBytes = 67_108_864
  var gzip = true
  var gzipMinBytes = 1_024
  var gzipHeavyBytes = 65_536

  // Timeouts and rates.
  var headerTimeoutSeconds = 10
  var bodyTimeoutSeconds = 10
  var minBodyBytesPerSecond = 500
  var idleTimeoutSeconds = 75
  var handlerTimeoutSeconds = 120
  var writeStallSeconds = 20
  var minAnswerBytesPerSecond = 500
  var lingerSeconds = 2
  var lameDuckSeconds = 0
  var drainSeconds = 7
  var maxWaitSeconds = 60
  var heartbeatSeconds = 15

  // Limits of trees and sessions.
  var maxSessions = 200_000
  var maxNodesPerTree = 10_000_000
  var maxMemoryBytes = 0
  var maxDepth = 100_000
  var maxKeyBytes = 512
  var maxObjectBytes = 1_048_576
  var maxJSONDepth = 512
  var maxNodesPerBody = 2_000_000
  var maxSortDescriptors = 16
  var maxOperationsPerBatch = 100_000
  var maxChanges = 10_000
  var maxAnswerBytes = 16_777_216
  var maxAncestors = 10_000
  var maxAncestorBytes = 1_048_576

  // Limits of histories, replays and followers.
  var maxTrees = 10_000
  var maxSections = 10_000
  var maxExpansionRulesPerTree = 64
  var maxViewSortsPerTree = 16
  var maxUndoBytes = 268_435_456
  var maxExpiredSessions = 10_000
  var maxReplays = 1_000
  var maxReplayBytes = 4_194_304
  var replaySeconds = 86_400
  var maxFollowers = 20_000
  var maxFollowersPerSession = 5_000
  var maxExports = 64
  var maxExportsPerTree = 32
  var maxQueuedEvents = 256
  var maxQueuedEventBytes = 1_048_576
  var maxQueuedEventBytesInAll = 268_435_456
  var maxHistoryCommits = 1_000
  var maxHistoryRows = 20_000
  var maxHistoryRowsPerTree = 1_000_000
  var maxHistoryRemovedNodes = 100_000
  var maxHistoryReadings = 100_000
  var maxHistoryListedRows = 1_000

  // Storage.
  var storage = "sqlite"
  var advertise = ""
  var clusterSecretFile = ""
  var data = "data"
  var minFreeBytes = 67_108_864
  var idleTreeSeconds = 300
  var idleSessionSeconds = 600
  var maxIdleViewsPerTree = 1_000
  var snapshotBytes = 16_777_216
  var snapshotEntries = 20_000
  var snapshotWorkMilliseconds = 1_000
  var maxUnwrittenBytes = 268_435_456

  // Access log.
  var accessLog = "off"
  var maxUnwrittenLogBytes = 1_048_576

  // The valid keys, from `keysFile` and the environment. They are no setting, so they are never
  // printed.
  var keys = AccessKeys()
  // The addresses of the sockets that a service manager passed.
  var passed: [PassedSockets.Place] = []
  // The keys of the environment, which stay when the file is read again.
  var environmentKeys = AccessKeys()
  // The secret that the instances of a cluster share, from `clusterSecretFile`.
  var clusterSecret: ClusterSecret?
  // The parsed `corsOrigins`.
  var origins = WebOrigins()
}
