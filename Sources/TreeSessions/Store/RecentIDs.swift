import TreeDomain

/// The newest of some session ids; the oldest is forgotten first.
struct RecentIDs {
  private let limit: Int
  private var ids: Set<SessionID> = []
  private var byAge: [SessionID] = []

  /// No ids; so many stay known at least, and twice as many at most.
  init(atLeast limit: Int) { self.limit = limit }

  func contains(_ id: SessionID) -> Bool { ids.contains(id) }

  /// Adds an id; returns true if it was not there.
  ///
  /// - Complexity: O(1) on average.
  mutating func insert(_ id: SessionID) -> Bool {
    guard ids.insert(id).inserted else { return false }
    byAge.append(id)
    guard byAge.count > 2 * limit else { return true }
    let excess = byAge.count - limit
    for old in byAge.prefix(excess) { ids.remove(old) }
    byAge.removeFirst(excess)
    return true
  }
}
