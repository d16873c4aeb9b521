internal import TreeDomain

// The table `bundles`, to which short entries are first written.
extension SQLiteConnection {
  /// Writes the short entries of the running transaction.
  ///
  /// Each commit with entries adds a row, which counts the commits (``GenerationMarker``). So a row
  /// is written even if all entries were too long for it.
  mutating func writeBundle() throws(StorageError) {
    guard !arriving.bundle.isEmpty || arriving.isCountOwed else { return }
    try insert(arriving.bundle.finish())
    arriving.isCountOwed = false
  }

  /// Adds a row with the next number.
  mutating func insert(_ texts: EntryBundle.Texts) throws(StorageError) {
    try run(
      "INSERT INTO bundles (places, checksum, heads, body) VALUES (?, ?, ?, ?)",
      .bytes(texts.places),
      .integer(Checksum().adding(texts.places).value),
      .bytes(texts.heads),
      .bytes(texts.body)
    )
    newestBundle = lastRow
  }

  /// Reads the number of the last commit with entries.
  ///
  /// Each such commit adds a row to `bundles`. Its last row is never removed, and no number is used
  /// twice.
  mutating func findNewestBundle() throws(StorageError) {
    newestBundle = try rows("SELECT ifnull(max(id), 0) FROM bundles") { $0.integer(0) }.first ?? 0
  }

  /// Visits the rows from a number on, in order, until `visit` returns false.
  ///
  /// - Throws: ``StorageError/damaged(_:)`` if neither column of a row says which trees its entries
  ///   belong to. They could be the last entries of any tree, so nothing else would reveal the
  ///   loss.
  mutating func visitBundles(
    from id: Int,
    _ visit: (BundleRow) throws(StorageError) -> Bool
  ) throws(StorageError) {
    try self.visit(
      "SELECT id, places, checksum, heads, body FROM bundles WHERE id >= ? ORDER BY id",
      [.integer(id)]
    ) { row throws(StorageError) in
      let members = EntryBundle.members(
        places: row.bytes(1),
        checksum: row.integer(2),
        heads: row.bytes(3),
        body: row.bytes(4)
      )
      guard let members else { throw Self.untold(row.integer(0)) }
      return try visit(BundleRow(row.integer(0), members))
    }
  }

  private static func untold(_ id: Int) -> StorageError {
    .damaged(
      """
      row \(id) of the table `bundles` is not as it was written, and cannot tell whose entries are \
      in it; nothing was touched. Restore a backup; or, to go on without these entries, keep a \
      copy of the folder and delete the row: \
      sqlite3 \(SQLiteStorage.fileName) "DELETE FROM bundles WHERE id = \(id)", \
      and then look with --check
      """
    )
  }

  /// Reads the rows that were added since the last call.
  ///
  /// If the known rows were removed, reads all rows.
  mutating func updateArrivals() throws(StorageError) {
    var known = arrivals
    // If reading fails, nothing is known.
    arrivals = Arrivals()
    var isThere = false
    if let newest = known.newestWhole {
      try visitBundles(from: newest) { row in
        isThere = isThere || row.id == newest
        if isThere { known.add(row) }
        return isThere
      }
    }
    if !isThere {
      known = Arrivals()
      try visitBundles(from: 0) { row in
        known.add(row)
        return true
      }
    }
    arrivals = known
  }
}
