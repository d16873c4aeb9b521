internal import TreeDomain

// Unused rows are recorded at once and removed in small steps, so that no commit has to wait long.
extension SQLiteConnection {
  /// The kind of rows in a range of garbage.
  enum Garbage: Int {
    /// Entries, by row number.
    case entries = 1
    /// Parts of snapshots, by row number.
    case parts = 2
    /// The unexpired sessions of a tree, and then the tree itself, by its number.
    ///
    /// Expired sessions stay, so that their expiry is remembered.
    case sessions = 3
  }

  /// Records that the rows of a range are unused.
  mutating func discard(_ kind: Garbage, _ first: Int, _ last: Int) throws(StorageError) {
    try run(
      "INSERT INTO garbage (kind, first, last) VALUES (?, ?, ?)",
      .integer(kind.rawValue),
      .integer(first),
      .integer(last)
    )
  }

  /// Deletes the snapshots of a tree, except the one with id `kept`, and records their parts as
  /// unused.
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

  /// Returns the number of bytes of unused pages.
  ///
  /// SQLite uses these before the file grows.
  mutating func unusedBytes() throws(StorageError) -> Int {
    let count = try rows("PRAGMA freelist_count") { $0.integer(0) }
    let size = try rows("PRAGMA page_size") { $0.integer(0) }
    return (count.first ?? 0) * (size.first ?? 0)
  }

  /// The approximate number of bytes that one sweep removes.
  ///
  /// The erased pages go through the log, and commits wait meanwhile.
  static let sweptBytes = 1 << 16

  /// Removes unused rows, up to a number of rows and about ``sweptBytes`` bytes.
  ///
  /// An empty range counts as a row. Damaged ranges are skipped, and stay.
  ///
  /// - Returns: False if nothing was left to remove.
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

  /// Removes rows of a range up to a limit, and the range itself after its last row.
  ///
  /// - Returns: The amount removed, at least one row if the range is done.
  private mutating func sweep(
    _ kind: Garbage,
    _ range: GarbageRange,
    _ room: Swept
  ) throws(StorageError) -> Swept {
    if kind == .entries {
      // Only entries in the table `entries` can be removed.
      try listArrivals()
      if arriving.lastPlaces[RowNumber.tree(at: range.first)] != nil { try sortArrivals() }
      let pieces = try sweepPieces(of: range, room)
      if pieces.rows > 0 { return pieces }
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

  /// Removes pieces of long entries in a range up to a limit.
  ///
  /// - Returns: The amount removed.
  private mutating func sweepPieces(
    of range: GarbageRange,
    _ room: Swept
  ) throws(StorageError) -> Swept {
    var swept = Swept(rows: 0, bytes: 0)
    var pieces: [(place: Int, number: Int)] = []
    try visit(
      "SELECT place, piece, length(body) FROM pieces WHERE place BETWEEN ? AND ?",
      [.integer(range.first), .integer(range.last)]
    ) { row in
      pieces.append((row.integer(0), row.integer(1)))
      swept = Swept(rows: swept.rows + 1, bytes: swept.bytes + row.integer(2))
      return swept.rows < room.rows && swept.bytes < room.bytes
    }
    for piece in pieces {
      try run(
        "DELETE FROM pieces WHERE place = ? AND piece = ?",
        .integer(piece.place),
        .integer(piece.number)
      )
    }
    return swept
  }

  /// Measures how much of a range fits a limit.
  ///
  /// - Returns: The amount, and the last row number in it; nil if the whole range fits.
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

/// An amount of removed rows.
private struct Swept {
  var rows: Int
  var bytes: Int
}

extension SQLiteConnection.Garbage {
  /// A query for the rows of a range, in order: row number and approximate size in bytes.
  fileprivate var listing: String {
    switch self {
    case .entries: "SELECT place, length(body) FROM entries WHERE place BETWEEN ? AND ? ORDER BY 1"
    case .parts: "SELECT place, length(body) FROM parts WHERE place BETWEEN ? AND ? ORDER BY 1"
    case .sessions: "SELECT tree, 0 FROM sessions WHERE tree BETWEEN ? AND ? AND is_expired = 0"
    }
  }

  /// A statement that removes a number of rows of a range.
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
