internal import TreeDomain

/// A row of the table `garbage`.
struct GarbageRange {
  let id: Int
  let kind: Int
  let first: Int
  let last: Int
}

// A row of `garbage` has no checksum. It is used only if other tables confirm it: otherwise one
// flipped bit could delete a tree in use.
extension SQLiteConnection {
  /// Returns up to `limit` ranges after an id, in the order in which they were added.
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

  /// Returns the kind of a range that may be deleted.
  ///
  /// Nil if other tables do not confirm it.
  ///
  /// Damage in the tables that confirm the range also gives nil.
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

  /// Returns the number of damaged ranges.
  ///
  /// - Complexity: O(*n* log *m*) for *n* ranges.
  mutating func damagedRanges() throws(StorageError) -> Int {
    var count = 0
    for range in try garbage(after: 0, limit: .max) where try usableKind(of: range) == nil {
      count += 1
    }
    return count
  }

  /// Returns true if the tree of the entries was deleted, or if its snapshot contains them.
  private mutating func areEntriesOfNoUse(_ range: GarbageRange) throws(StorageError) -> Bool {
    let tree = RowNumber.tree(at: range.first)
    guard RowNumber.tree(at: range.last) == tree else { return false }
    if try isGone(tree) { return true }
    guard let snapshot = try snapshot(of: tree) else { return false }
    return range.last & RowNumber.lastEntry <= snapshot.entry
  }

  /// Returns true if the snapshot of the parts was deleted.
  private mutating func arePartsOfNoUse(_ range: GarbageRange) throws(StorageError) -> Bool {
    let snapshot = RowNumber.snapshot(at: range.first)
    guard RowNumber.snapshot(at: range.last) == snapshot else { return false }
    let count = try rows("SELECT count(*) FROM snapshots WHERE id = ?", .integer(snapshot)) {
      $0.integer(0)
    }
    return count == [0]
  }

  /// Returns true if the tree of the sessions was deleted.
  private mutating func areSessionsOfNoUse(_ range: GarbageRange) throws(StorageError) -> Bool {
    guard range.first == range.last else { return false }
    return try isGone(TreeNumber(range.first))
  }

  /// Returns true if a tree was deleted.
  private mutating func isGone(_ tree: TreeNumber) throws(StorageError) -> Bool {
    let count = try rows(
      "SELECT count(*) FROM trees WHERE number = ? AND is_deleted = 0",
      .integer(tree.value)
    ) { $0.integer(0) }
    return count == [0]
  }
}
