internal import TreeDomain

// What nothing refers to any more is noted at once and removed little by little, so that no commit
// has to wait for it.
extension SQLiteConnection {
  /// What a range of garbage is of.
  enum Garbage: Int {
    /// Entries by their places.
    case entries = 1
    /// Parts of snapshots by their places.
    case parts = 2
    /// The sessions of a tree, by its number, and then its own row; that some of them expired is
    /// remembered.
    case sessions = 3
  }

  /// Notes that rows of a range are of no more use.
  mutating func discard(_ kind: Garbage, _ first: Int, _ last: Int) throws(StorageError) {
    try run(
      "INSERT INTO garbage (kind, first, last) VALUES (?, ?, ?)",
      .integer(kind.rawValue),
      .integer(first),
      .integer(last)
    )
  }

  /// Gives up the snapshots of a tree, but not one.
  mutating func discardSnapshots(
    of tree: TreeNumber,
    exceptThrough kept: Int
  ) throws(StorageError) {
    let ids = try rows(
      "SELECT id FROM snapshots WHERE tree = ? AND id <> ?",
      .integer(tree.value),
      .integer(kept)
    ) { $0.integer(0) }
    for id in ids {
      try run("DELETE FROM snapshots WHERE id = ?", .integer(id))
      try discard(.parts, RowNumber.part(0, of: id), RowNumber.part(RowNumber.lastPart, of: id))
    }
  }

  /// Removes up to so many rows of the first ranges, one that is empty counted as a row; false if
  /// there is no range.
  mutating func sweep(limit: Int) throws(StorageError) -> Bool {
    let ranges = try rows(
      "SELECT id, kind, first, last FROM garbage ORDER BY id LIMIT ?",
      .integer(limit)
    ) { row in
      GarbageRange(
        id: row.integer(0),
        kind: row.integer(1),
        first: row.integer(2),
        last: row.integer(3)
      )
    }
    var room = limit
    for range in ranges where room > 0 { room -= try sweep(range, limit: room) }
    return !ranges.isEmpty
  }

  /// Removes up to so many rows of a range, and with the last of them the range.
  ///
  /// - Returns: How many rows that were, at least one.
  private mutating func sweep(_ range: GarbageRange, limit: Int) throws(StorageError) -> Int {
    guard let kind = Garbage(rawValue: range.kind) else {
      throw .damaged("a row of the table `garbage` is of no kind there is")
    }
    if kind == .entries {
      // Only what is in its place can be removed.
      try listArrivals()
      if arriving.lastPlaces[RowNumber.tree(at: range.first)] != nil { try sortArrivals() }
    }
    try run(kind.removal, .integer(range.first), .integer(range.last), .integer(limit))
    let count = changeCount
    guard count < limit else { return count }
    if kind == .sessions {
      try run("DELETE FROM trees WHERE is_deleted = 1 AND number = ?", .integer(range.first))
    }
    try run("DELETE FROM garbage WHERE id = ?", .integer(range.id))
    return max(1, count)
  }
}

/// A row of the table `garbage`.
private struct GarbageRange {
  let id: Int
  let kind: Int
  let first: Int
  let last: Int
}

extension SQLiteConnection.Garbage {
  fileprivate var removal: String {
    switch self {
    case .entries:
      """
      DELETE FROM entries WHERE place IN
      (SELECT place FROM entries WHERE place BETWEEN ? AND ? LIMIT ?)
      """
    case .parts:
      """
      DELETE FROM parts WHERE place IN
      (SELECT place FROM parts WHERE place BETWEEN ? AND ? LIMIT ?)
      """
    case .sessions:
      """
      DELETE FROM sessions WHERE id IN
      (SELECT id FROM sessions WHERE tree BETWEEN ? AND ? AND is_expired = 0 LIMIT ?)
      """
    }
  }
}
