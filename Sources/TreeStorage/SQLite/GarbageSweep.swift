internal import TreeDomain

/// A removal of unused rows, up to a number of rows and bytes.
struct GarbageSweep {
  /// The number of rows that may still be removed.
  private var rows: Int
  /// The approximate number of bytes that may still be removed.
  private var bytes: Int

  /// The approximate maximum of bytes that one sweep removes.
  ///
  /// The erased pages go through the log, and commits wait meanwhile.
  static let maxBytes = 1 << 16

  /// Removes unused rows, up to a number of rows and about ``maxBytes`` bytes.
  ///
  /// An empty range counts as a row. Damaged ranges are skipped, and stay. Pieces of entries that
  /// were not written are removed only if nothing else is left.
  ///
  /// - Returns: False if there was nothing to remove.
  static func run(
    limit: Int,
    _ connection: inout SQLiteConnection
  ) throws(StorageError) -> Bool {
    var sweep = GarbageSweep(rows: limit, bytes: maxBytes)
    var (last, hasSwept) = (0, false)
    while sweep.hasRoom {
      let ranges = try GarbageRange.list(after: last, limit: limit, &connection)
      guard let newest = ranges.last else { break }
      last = newest.id
      for range in ranges where sweep.hasRoom {
        guard let kind = try range.usableKind(&connection), kind != .pieces else { continue }
        try sweep.remove(kind, range, &connection)
        hasSwept = true
      }
    }
    if hasSwept { return true }
    return try connection.removeStalePieces(bytes: maxBytes)
  }

  private init(rows: Int, bytes: Int) { (self.rows, self.bytes) = (rows, bytes) }

  private var hasRoom: Bool { rows > 0 && bytes > 0 }

  /// Removes rows of a range up to the limits, and the range itself after its last row.
  private mutating func remove(
    _ kind: Garbage,
    _ range: GarbageRange,
    _ connection: inout SQLiteConnection
  ) throws(StorageError) {
    if kind == .entries {
      // Only entries in the table `entries` can be removed.
      try connection.listArrivals()
      if connection.arriving.lastPlaces[RowNumber.tree(at: range.first)] != nil {
        try connection.sortArrivals()
      }
      if try removePieces(of: range, &connection) { return }
    }
    let limit = rows
    let last = try measure(kind, range, &connection)
    try connection.run(
      kind.removal,
      .integer(range.first),
      .integer(last ?? range.last),
      .integer(limit)
    )
    guard last == nil else { return }
    if kind == .sessions {
      try connection.run(
        "DELETE FROM trees WHERE is_deleted = 1 AND number = ?",
        .integer(range.first)
      )
    }
    try connection.run("DELETE FROM garbage WHERE id = ?", .integer(range.id))
    // An empty range counts as a row.
    if rows == limit { rows -= 1 }
  }

  /// Removes pieces of long entries in a range, up to the limits.
  ///
  /// - Returns: True if there were any.
  private mutating func removePieces(
    of range: GarbageRange,
    _ connection: inout SQLiteConnection
  ) throws(StorageError) -> Bool {
    var pieces: [(place: Int, number: Int)] = []
    try connection.visit(
      "SELECT place, piece, length(body) FROM pieces WHERE place BETWEEN ? AND ?",
      [.integer(range.first), .integer(range.last)]
    ) { row in
      pieces.append((row.integer(0), row.integer(1)))
      count(row.integer(2))
      return hasRoom
    }
    for piece in pieces {
      try connection.run(
        "DELETE FROM pieces WHERE place = ? AND piece = ?",
        .integer(piece.place),
        .integer(piece.number)
      )
    }
    return !pieces.isEmpty
  }

  /// Measures how much of a range fits the limits, and counts it.
  ///
  /// - Returns: The last row number that fits; nil if the whole range does.
  private mutating func measure(
    _ kind: Garbage,
    _ range: GarbageRange,
    _ connection: inout SQLiteConnection
  ) throws(StorageError) -> Int? {
    var (last, isAll) = (range.first, true)
    let values: [SQLiteValue] = [.integer(range.first), .integer(range.last)]
    try connection.visit(kind.listing, values) { row throws(StorageError) in
      isAll = hasRoom
      guard isAll else { return false }
      last = row.integer(0)
      count(row.integer(1))
      return true
    }
    return isAll ? nil : last
  }

  private mutating func count(_ bytes: Int) {
    rows -= 1
    self.bytes -= bytes
  }
}
