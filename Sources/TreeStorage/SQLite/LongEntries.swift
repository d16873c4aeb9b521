internal import TreeDomain

/// The bodies of long entries in the table `pieces`, for the connection that writes.
///
/// One long entry at a time can be written ahead: its pieces come in short transactions, and its
/// row in a later one. A row of `garbage` names the pieces until then. If the entry's row is never
/// written, the pieces are stale. They are removed before another entry is written in their place.
struct LongEntries {
  /// The length of a body from which on the rest is in the table `pieces`, and of each piece.
  static let pieceBytes = 1 << 16

  /// The entry that is being written ahead.
  private var ahead: LongEntry?
  /// The row numbers of entries whose pieces were written, but will not be used.
  private var stale: Set<Int> = []

  /// True if an entry is being written ahead.
  var isWriting: Bool { ahead != nil }

  /// Returns true if there may be pieces in the place of an entry, of it or of another one.
  func mayHavePieces(of entry: StoredEntry, in tree: TreeNumber) -> Bool {
    guard ahead != nil || !stale.isEmpty else { return false }
    let place = RowNumber.entry(entry.number, of: tree)
    return ahead?.place == place || stale.contains(place)
  }

  /// Finds the stale pieces in a file.
  ///
  /// Damage must not prevent the start. If `garbage` cannot be read, all pieces are looked at.
  ///
  /// - Complexity: O(*n*) for *n* rows of `garbage`.
  static func find(_ connection: inout SQLiteConnection) -> LongEntries {
    var found = LongEntries()
    found.stale = (try? namedPlaces(&connection)) ?? (try? lonePlaces(&connection)) ?? []
    return found
  }

  /// Returns the row numbers of entries whose pieces `garbage` names.
  private static func namedPlaces(
    _ connection: inout SQLiteConnection
  ) throws(StorageError) -> Set<Int> {
    var places: Set<Int> = []
    for range in try GarbageRange.list(after: 0, limit: .max, &connection) {
      guard try range.usableKind(&connection) == .pieces else { continue }
      places.insert(range.first)
    }
    return places
  }

  /// Returns the row numbers of entries that have pieces and no row.
  ///
  /// - Complexity: O(bytes) of all pieces.
  private static func lonePlaces(
    _ connection: inout SQLiteConnection
  ) throws(StorageError) -> Set<Int> {
    Set(
      try connection.rows(
        "SELECT DISTINCT place FROM pieces WHERE place NOT IN (SELECT place FROM entries)"
      ) { $0.integer(0) }
    )
  }

  // MARK: Writing

  /// Writes some pieces of an entry ahead of its row.
  ///
  /// As long as there are stale pieces in its place, some of those are removed instead.
  ///
  /// - Parameters:
  ///   - entry: The entry, the same in each call until its row is written.
  ///   - tree: Its tree.
  ///   - bytes: The approximate number of bytes to write or remove.
  ///   - connection: A connection with a transaction.
  /// - Returns: True if there is more to write.
  /// - Throws: ``StorageError``. The transaction must be rolled back then.
  mutating func writeAhead(
    _ entry: StoredEntry,
    of tree: TreeNumber,
    bytes: Int,
    _ connection: inout SQLiteConnection
  ) throws(StorageError) -> Bool {
    var long: LongEntry
    if let ahead, ahead.isOf(entry, tree) {
      long = ahead
    } else {
      abandon()
      long = LongEntry(entry, of: tree)
      if stale.contains(long.place) {
        _ = try removePieces(at: long.place, bytes: bytes, &connection)
        return true
      }
      try Garbage.pieces.discard(long.place, long.place, &connection)
    }
    try long.writePieces(bytes: bytes, &connection)
    ahead = long
    return long.hasMore
  }

  /// Writes the pieces of an entry that are not written yet.
  ///
  /// Its row must be written in the same transaction.
  ///
  /// - Returns: The checksum of the entry.
  mutating func finish(
    _ entry: StoredEntry,
    of tree: TreeNumber,
    _ connection: inout SQLiteConnection
  ) throws(StorageError) -> Int {
    var long = LongEntry(entry, of: tree)
    if let ahead, ahead.isOf(entry, tree) {
      long = ahead
      self.ahead = nil
      try Self.removeRange(at: long.place, &connection)
    }
    try long.writePieces(bytes: .max, &connection)
    return long.checksum
  }

  /// Gives up the entry that is being written ahead.
  mutating func abandon() {
    if let ahead { stale.insert(ahead.place) }
    ahead = nil
  }

  /// Gives up the entry that is being written ahead, if it is of a tree.
  mutating func abandon(_ tree: TreeNumber) {
    if ahead?.tree == tree { abandon() }
  }

  /// Makes room for an entry: removes pieces in its place that are not of it.
  mutating func clear(
    for entry: StoredEntry,
    of tree: TreeNumber,
    _ connection: inout SQLiteConnection
  ) throws(StorageError) {
    guard mayHavePieces(of: entry, in: tree) else { return }
    if let ahead, !ahead.isOf(entry, tree) { abandon() }
    let place = RowNumber.entry(entry.number, of: tree)
    guard stale.contains(place) else { return }
    while try removePieces(at: place, bytes: .max, &connection) {}
  }

  // MARK: Removing

  /// Removes some stale pieces, up to a number of bytes.
  ///
  /// - Returns: False if no stale pieces were known.
  mutating func removeStale(
    bytes: Int,
    _ connection: inout SQLiteConnection
  ) throws(StorageError) -> Bool {
    guard let place = stale.min() else { return false }
    _ = try removePieces(at: place, bytes: bytes, &connection)
    return true
  }

  /// Removes stale pieces of an entry, up to a number of bytes.
  ///
  /// - Returns: True if there may be more.
  private mutating func removePieces(
    at place: Int,
    bytes: Int,
    _ connection: inout SQLiteConnection
  ) throws(StorageError) -> Bool {
    try connection.run(
      """
      DELETE FROM pieces WHERE place = ? AND piece IN
      (SELECT piece FROM pieces WHERE place = ? ORDER BY piece LIMIT ?)
      """,
      .integer(place),
      .integer(place),
      .integer(max(1, bytes / Self.pieceBytes))
    )
    if connection.changeCount > 0 { return true }
    do throws(StorageError) { try Self.removeRange(at: place, &connection) } catch .damaged {
      // The place is usable all the same.
    }
    stale.remove(place)
    return false
  }

  /// Removes the row of `garbage` that names the pieces of an entry.
  private static func removeRange(
    at place: Int,
    _ connection: inout SQLiteConnection
  ) throws(StorageError) {
    try connection.run(
      "DELETE FROM garbage WHERE kind = ? AND first = ?",
      .integer(Garbage.pieces.rawValue),
      .integer(place)
    )
  }
}

/// An entry whose body is in several rows, and the part of it that is written.
private struct LongEntry {
  let entry: StoredEntry
  let tree: TreeNumber
  /// The checksum over the numbers and the written part of the body.
  private var sum: Checksum
  private var written: Int

  init(_ entry: StoredEntry, of tree: TreeNumber) {
    self.entry = entry
    self.tree = tree
    let first = entry.body.prefix(LongEntries.pieceBytes)
    // The first part of the body is in the row of the entry.
    written = first.count
    sum = entry.head(in: tree).adding(first)
  }

  var place: Int { RowNumber.entry(entry.number, of: tree) }

  /// The checksum of the entry.
  ///
  /// - Precondition: All pieces are written.
  var checksum: Int { sum.value }

  var hasMore: Bool { written < entry.body.count }

  /// Returns true if an entry is this one.
  ///
  /// - Complexity: O(1) if the bodies share their memory.
  func isOf(_ entry: StoredEntry, _ tree: TreeNumber) -> Bool {
    self.tree == tree && self.entry == entry
  }

  /// Writes the next pieces, until they have a number of bytes.
  mutating func writePieces(
    bytes: Int,
    _ connection: inout SQLiteConnection
  ) throws(StorageError) {
    let start = written
    while hasMore, written - start < bytes {
      let piece = entry.body[written...].prefix(LongEntries.pieceBytes)
      try connection.run(
        "INSERT INTO pieces (place, piece, body) VALUES (?, ?, ?)",
        .integer(place),
        .integer(written / LongEntries.pieceBytes),
        .bytes(Array(piece))
      )
      sum = sum.adding(piece)
      written += piece.count
    }
  }
}
