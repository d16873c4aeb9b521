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

  /// How many bytes the pages have that hold nothing and are used before the file grows.
  mutating func unusedBytes() throws(StorageError) -> Int {
    let count = try rows("PRAGMA freelist_count") { $0.integer(0) }
    let size = try rows("PRAGMA page_size") { $0.integer(0) }
    return (count.first ?? 0) * (size.first ?? 0)
  }

  /// About how many bytes are removed at once, all of which go through the log: erased pages are
  /// written, and commits wait meanwhile.
  static let sweptBytes = 1 << 18

  /// Removes up to so many rows of the first ranges, one that is empty counted as a row, and not
  /// many more than ``sweptBytes``; false if there is nothing to be removed.
  ///
  /// A range that is damaged stays as it is, and is passed over.
  mutating func sweep(limit: Int) throws(StorageError) -> Bool {
    var (last, hasSwept) = (0, false)
    var room = Swept(rows: limit, bytes: Self.sweptBytes)
    while room.rows > 0, room.bytes > 0 {
      let ranges = try garbage(after: last, limit: limit)
      guard let newest = ranges.last else { break }
      last = newest.id
      for range in ranges where room.rows > 0 && room.bytes > 0 {
        guard let kind = try usableKind(of: range) else { continue }
        let swept = try sweep(kind, range, room)
        room = Swept(rows: room.rows - swept.rows, bytes: room.bytes - swept.bytes)
        hasSwept = true
      }
    }
    return hasSwept
  }

  /// Removes of a range what there is room for, and with the last of it the range.
  ///
  /// - Returns: How much that was, at least one row.
  private mutating func sweep(
    _ kind: Garbage,
    _ range: GarbageRange,
    _ room: Swept
  ) throws(StorageError) -> Swept {
    if kind == .entries {
      // Only what is in its place can be removed.
      try listArrivals()
      if arriving.lastPlaces[RowNumber.tree(at: range.first)] != nil { try sortArrivals() }
    }
    let (swept, last) = try measure(kind, range, room)
    try run(kind.removal, .integer(range.first), .integer(last ?? range.last), .integer(room.rows))
    guard last == nil else { return swept }
    if kind == .sessions {
      try run("DELETE FROM trees WHERE is_deleted = 1 AND number = ?", .integer(range.first))
    }
    try run("DELETE FROM garbage WHERE id = ?", .integer(range.id))
    return Swept(rows: max(1, swept.rows), bytes: swept.bytes)
  }

  /// Finds out how much of a range there is room for.
  ///
  /// - Returns: How much that is, and the last number of it; nil for all of the range.
  private mutating func measure(
    _ kind: Garbage,
    _ range: GarbageRange,
    _ room: Swept
  ) throws(StorageError) -> (Swept, last: Int?) {
    var (swept, last) = (Swept(rows: 0, bytes: 0), range.first)
    let values: [SQLiteValue] = [.integer(range.first), .integer(range.last)]
    var isAll = true
    try visit(kind.listing, values) { row throws(StorageError) in
      isAll = swept.rows < room.rows && swept.bytes < room.bytes
      guard isAll else { return false }
      last = row.integer(0)
      swept = Swept(rows: swept.rows + 1, bytes: swept.bytes + row.integer(1))
      return true
    }
    return (swept, isAll ? nil : last)
  }
}

/// How much is removed.
private struct Swept {
  var rows: Int
  var bytes: Int
}

extension SQLiteConnection.Garbage {
  /// What there is of a range, in order: numbers, and about how many bytes each is.
  fileprivate var listing: String {
    switch self {
    case .entries: "SELECT place, length(body) FROM entries WHERE place BETWEEN ? AND ? ORDER BY 1"
    case .parts: "SELECT place, length(body) FROM parts WHERE place BETWEEN ? AND ? ORDER BY 1"
    case .sessions: "SELECT tree, 0 FROM sessions WHERE tree BETWEEN ? AND ? AND is_expired = 0"
    }
  }

  /// Removes so many rows of a range.
  fileprivate var removal: String {
    switch self {
    case .entries:
      """
      DELETE FROM entries WHERE place IN
      (SELECT place FROM entries WHERE place BETWEEN ? AND ? ORDER BY place LIMIT ?)
      """
    case .parts:
      """
      DELETE FROM parts WHERE place IN
      (SELECT place FROM parts WHERE place BETWEEN ? AND ? ORDER BY place LIMIT ?)
      """
    case .sessions:
      """
      DELETE FROM sessions WHERE id IN
      (SELECT id FROM sessions WHERE tree BETWEEN ? AND ? AND is_expired = 0 LIMIT ?)
      """
    }
  }
}
