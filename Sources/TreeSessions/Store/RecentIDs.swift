/// A set of the newest ids, from which the oldest are removed.
struct RecentIDs<ID: Hashable> {
  private let limit: Int
  private var ids: Set<ID> = []
  private var byAge: [ID] = []

  /// Makes an empty set that keeps at least `limit` ids, and at most twice as many.
  init(atLeast limit: Int) { self.limit = limit }

  /// Returns true if the set contains an id.
  func contains(_ id: ID) -> Bool { ids.contains(id) }

  /// Inserts an id.
  ///
  /// Returns true if the set did not contain it.
  ///
  /// - Complexity: O(1) on average.
  mutating func insert(_ id: ID) -> Bool {
    guard ids.insert(id).inserted else { return false }
    byAge.append(id)
    guard byAge.count > 2 * limit else { return true }
    let excess = byAge.count - limit
    for old in byAge.prefix(excess) { ids.remove(old) }
    byAge.removeFirst(excess)
    return true
  }
}
