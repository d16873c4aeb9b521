internal import TreeDomain

/// A row of the table `garbage`.
struct GarbageRange {
  let id: Int
  let kind: Int
  let first: Int
  let last: Int
}

// A row has no checksum of its own: it is believed only where what else is stored says the same, or
// one bit of it could take a tree away that is in use.
extension SQLiteConnection {
  /// The ranges behind one, so many at most, in the order they were noted.
  mutating func garbage(after id: Int, limit: Int) throws(StorageError) -> [GarbageRange] {
    try rows(
      "SELECT id, kind, first, last FROM garbage WHERE id > ? ORDER BY id LIMIT ?",
      .integer(id),
      .integer(limit)
    ) { row in
      GarbageRange(
        id: row.integer(0),
        kind: row.integer(1),
        first: row.integer(2),
        last: row.integer(3)
      )
    }
  }

  /// What a range is of, if nothing in it is needed by anything else there is.
  ///
  /// - Returns: nil where it is damaged, or where what it is of cannot be told.
  mutating func usableKind(of range: GarbageRange) throws(StorageError) -> Garbage? {
    guard let kind = Garbage(rawValue: range.kind) else { return nil }
    do throws(StorageError) {
      let isOfNoUse =
        switch kind {
        case .entries: try areEntriesOfNoUse(range)
        case .parts: try arePartsOfNoUse(range)
        case .sessions: try areSessionsOfNoUse(range)
        }
      return isOfNoUse ? kind : nil
    } catch .damaged {
      return nil
    }
  }

  /// How many ranges are damaged.
  ///
  /// - Complexity: O(*n* log *m*) for *n* ranges.
  mutating func damagedRanges() throws(StorageError) -> Int {
    var count = 0
    for range in try garbage(after: 0, limit: .max) where try usableKind(of: range) == nil {
      count += 1
    }
    return count
  }

  /// Whether entries are of a tree that is gone, or not behind its snapshot.
  private mutating func areEntriesOfNoUse(_ range: GarbageRange) throws(StorageError) -> Bool {
    let tree = RowNumber.tree(at: range.first)
    guard RowNumber.tree(at: range.last) == tree else { return false }
    if try isGone(tree) { return true }
    guard let snapshot = try snapshot(of: tree) else { return false }
    return range.last & RowNumber.lastEntry <= snapshot.entry
  }

  /// Whether parts are of a snapshot that is gone.
  private mutating func arePartsOfNoUse(_ range: GarbageRange) throws(StorageError) -> Bool {
    let snapshot = RowNumber.snapshot(at: range.first)
    guard RowNumber.snapshot(at: range.last) == snapshot else { return false }
    let count = try rows("SELECT count(*) FROM snapshots WHERE id = ?", .integer(snapshot)) {
      $0.integer(0)
    }
    return count == [0]
  }

  /// Whether sessions are of a tree that is gone.
  private mutating func areSessionsOfNoUse(_ range: GarbageRange) throws(StorageError) -> Bool {
    guard range.first == range.last else { return false }
    return try isGone(TreeNumber(range.first))
  }

  /// Whether a tree was deleted.
  private mutating func isGone(_ tree: TreeNumber) throws(StorageError) -> Bool {
    let count = try rows(
      "SELECT count(*) FROM trees WHERE number = ? AND is_deleted = 0",
      .integer(tree.value)
    ) { $0.integer(0) }
    return count == [0]
  }
}
