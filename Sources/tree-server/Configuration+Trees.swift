internal import TreeDomain

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
}
