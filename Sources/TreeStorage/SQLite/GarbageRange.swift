internal import TreeDomain

/// A row of the table `garbage`.
///
/// It has no checksum. It is used only if other tables confirm it: otherwise one flipped bit could
/// delete a tree in use.
struct GarbageRange {
  let id: Int
  let kind: Int
  let first: Int
  let last: Int

  /// Returns up to `limit` ranges after an id, in the order in which they were added.
  static func list(
    after id: Int,
    limit: Int,
    _ connection: inout SQLiteConnection
  ) throws(StorageError) -> [GarbageRange] {
    try connection.rows(
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

  /// Returns the kind of a range whose rows may be deleted.
  ///
  /// The result is nil if other tables do not confirm the range, or if they are damaged.
  func usableKind(_ connection: inout SQLiteConnection) throws(StorageError) -> Garbage? {
    guard let kind = Garbage(rawValue: kind) else { return nil }
    do throws(StorageError) {
      let isOfNoUse =
        switch kind {
        case .entries: try areEntriesOfNoUse(&connection)
        case .parts: try arePartsOfNoUse(&connection)
        case .sessions: try areSessionsOfNoUse(&connection)
        case .pieces: try arePiecesOfNoEntry(&connection)
        }
      return isOfNoUse ? kind : nil
    } catch .damaged {
      return nil
    }
  }

  /// Returns the number of damaged ranges.
  ///
  /// - Complexity: O(*n* log *m*) for *n* ranges and *m* rows of the tables that confirm them.
  static func damagedCount(_ connection: inout SQLiteConnection) throws(StorageError) -> Int {
    var count = 0
    for range in try list(after: 0, limit: .max, &connection)
    where try range.usableKind(&connection) == nil { count += 1 }
    return count
  }

  /// Returns true if the tree of the entries was deleted, or if its snapshot contains them.
  private func areEntriesOfNoUse(
    _ connection: inout SQLiteConnection
  ) throws(StorageError) -> Bool {
    let tree = RowNumber.tree(at: first)
    guard RowNumber.tree(at: last) == tree else { return false }
    if try Self.isGone(tree, &connection) { return true }
    guard let snapshot = try connection.snapshot(of: tree) else { return false }
    return last & RowNumber.lastEntry <= snapshot.entry
  }

  /// Returns true if the snapshot of the parts was deleted.
  private func arePartsOfNoUse(
    _ connection: inout SQLiteConnection
  ) throws(StorageError) -> Bool {
    let snapshot = RowNumber.snapshot(at: first)
    guard RowNumber.snapshot(at: last) == snapshot else { return false }
    let count = try connection.rows(
      "SELECT count(*) FROM snapshots WHERE id = ?",
      .integer(snapshot)
    ) { $0.integer(0) }
    return count == [0]
  }

  /// Returns true if the tree of the sessions was deleted.
  private func areSessionsOfNoUse(
    _ connection: inout SQLiteConnection
  ) throws(StorageError) -> Bool {
    guard first == last else { return false }
    return try Self.isGone(TreeNumber(first), &connection)
  }

  /// Returns true if the entry of the pieces is not written, or not yet.
  private func arePiecesOfNoEntry(
    _ connection: inout SQLiteConnection
  ) throws(StorageError) -> Bool {
    guard first == last else { return false }
    let count = try connection.rows(
      "SELECT count(*) FROM entries WHERE place = ?",
      .integer(first)
    ) { $0.integer(0) }
    return count == [0]
  }

  /// Returns true if a tree was deleted, whether its row is left or not.
  private static func isGone(
    _ tree: TreeNumber,
    _ connection: inout SQLiteConnection
  ) throws(StorageError) -> Bool {
    let count = try connection.rows(
      "SELECT count(*) FROM trees WHERE number = ? AND is_deleted = 0",
      .integer(tree.value)
    ) { $0.integer(0) }
    return count == [0]
  }
}
