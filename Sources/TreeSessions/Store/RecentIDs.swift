/// A set of the newest ids, from which the oldest are removed.
struct RecentIDs<ID: Hashable> {
  private let limit: Int
  private var newest: Set<ID> = []
  /// The ids before the newest, which are removed together.
  private var older: Set<ID> = []

  /// Makes an empty set that keeps at least `limit` ids, and at most twice as many.
  init(atLeast limit: Int) { self.limit = limit }

  /// Returns true if the set contains an id.
  func contains(_ id: ID) -> Bool { newest.contains(id) || older.contains(id) }

  /// Inserts an id.
  ///
  /// Returns true if the set did not contain it.
  ///
  /// - Complexity: O(1) on average.
  mutating func insert(_ id: ID) -> Bool {
    guard !contains(id) else { return false }
    if newest.count >= limit { (older, newest) = (newest, []) }
    newest.insert(id)
    return true
  }
}
