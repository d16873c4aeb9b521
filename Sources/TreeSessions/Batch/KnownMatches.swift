import TreeEngine

/// The nodes that the end of a transaction has held against filters, and which of them matched.
struct KnownMatches {
  private var matches: [ObjectIdentifier: [NodeID: Bool]] = [:]

  /// Takes out what is known of a filter.
  mutating func take(_ filter: SharedFilter?) -> [NodeID: Bool] {
    filter.flatMap { matches.removeValue(forKey: ObjectIdentifier($0)) } ?? [:]
  }

  /// Keeps what is known of a filter.
  mutating func keep(_ known: [NodeID: Bool], of filter: SharedFilter?) {
    if let filter { matches[ObjectIdentifier(filter)] = known }
  }
}
