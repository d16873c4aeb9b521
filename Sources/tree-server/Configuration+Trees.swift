internal import TreeAPI
internal import TreeDomain
internal import TreeSessions

extension Configuration {
  /// What one request body may ask for.
  var decodingLimits: DecodingLimits {
    var limits = DecodingLimits()
    limits.maxJSONDepth = maxJSONDepth
    limits.maxOperations = maxOperationsPerBatch
    limits.maxNodes = maxNodesPerBody
    limits.maxKeyBytes = maxKeyBytes
    limits.maxObjectBytes = maxObjectBytes
    limits.maxSortDescriptors = maxSortDescriptors
    return limits
  }

  /// How large requests are taken, and answers that take time.
  var apiOptions: TreeAPIOptions {
    var options = TreeAPIOptions()
    options.maxWaitSeconds = maxWaitSeconds
    options.heartbeatSeconds = heartbeatSeconds
    options.maxImportBytes = maxImportBytes
    options.maxImportNodes = maxNodesPerTree
    options.heavyBodyBytes = heavyBodyBytes
    return options
  }

  /// What trees and sessions may grow to.
  var sessionLimits: SessionLimits {
    var limits = SessionLimits()
    limits.maxSessions = maxSessions
    limits.maxNodesPerTree = maxNodesPerTree
    limits.maxTotalBytes = maxTotalBytes
    limits.maxDepth = maxDepth
    limits.maxChanges = maxChanges
    limits.maxJSONDepth = maxJSONDepth
    limits.maxObjectBytes = maxObjectBytes
    return limits
  }
}
