/// The newest of some ids; the oldest is removed first.
struct RecentIDs<ID: Hashable> {
  private let limit: Int
  private var ids: Set<ID> = []
  private var byAge: [ID] = []

  /// Makes an empty set that keeps at least `limit` ids, and at most twice as many.
  init(atLeast limit: Int) { self.limit = limit }

  /// Returns true if an id is one of them.
  func contains(_ id: ID) -> Bool { ids.contains(id) }

  /// Inserts an id; returns true if it was not there.
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
