import TreeEngine

/// The results of filters for the nodes that were checked at the end of a transaction.
struct KnownMatches {
  private var matches: [ObjectIdentifier: [NodeID: Bool]] = [:]

  /// Removes and returns the results of a filter.
  mutating func take(_ filter: SharedFilter?) -> [NodeID: Bool] {
    filter.flatMap { matches.removeValue(forKey: ObjectIdentifier($0)) } ?? [:]
  }

  /// Stores the results of a filter.
  mutating func keep(_ known: [NodeID: Bool], of filter: SharedFilter?) {
    if let filter { matches[ObjectIdentifier(filter)] = known }
  }
}
