internal import HTTP
internal import HTTPServer
internal import TreeAPI

/// Everything the service lets its operator choose, with the built-in defaults.
///
/// A field's range and description stand in ``Setting/all``; the flag and the environment variable
/// of a setting are derived from its name. The modules below take small structs of their own
/// (limits, options) which are filled from here, so that none of them knows how it was configured.
struct Configuration: Equatable, Sendable {
  // The address and the threads.
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

  // What one HTTP message or connection may take.
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

  // How long it may take.
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

  // What trees and sessions may grow to.
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

  // What is remembered of them, and for whom.
  var maxTrees = 10_000
  var maxSections = 10_000
  var maxExpansionRulesPerTree = 64
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

  // Where they are kept.
  var storage = "sqlite"
  var data = "data"
  var minFreeBytes = 67_108_864
  var idleTreeSeconds = 300
  var idleSessionSeconds = 600
  var maxIdleViewsPerTree = 1_000
  var snapshotBytes = 16_777_216
  var snapshotEntries = 20_000
  var snapshotWorkMilliseconds = 1_000
  var maxUnwrittenBytes = 268_435_456

  // What is told of requests.
  var accessLog = "off"
  var maxUnwrittenLogBytes = 1_048_576

  // No setting, so that they are printed nowhere: read from `keysFile` and the environment.
  var keys = AccessKeys()
  // The addresses of the sockets that a service manager passed.
  var passed: [PassedSockets.Place] = []
  // Those of them that the environment has, which stay when the file is read anew.
  var environmentKeys = AccessKeys()
  // What `corsOrigins` says.
  var origins = WebOrigins()
}
