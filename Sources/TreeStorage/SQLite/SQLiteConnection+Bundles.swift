internal import TreeDomain

// The rows in which entries arrive.
extension SQLiteConnection {
  /// Where entries arrive since there are bundles, and the view in which each stands for itself,
  /// wherever it is.
  ///
  /// A row of `entries` that has heads is a bundle of a tree; what else it says is of the last one.
  static let bundles = [
    """
    INSERT OR IGNORE INTO entries (\(entryColumns))
      SELECT \(entryColumns) FROM arrivals ORDER BY place
    """,
    "DROP VIEW journal",
    "DROP TABLE arrivals",
    "ALTER TABLE entries ADD COLUMN heads BLOB",
    """
    CREATE TABLE bundles (id INTEGER PRIMARY KEY, places BLOB NOT NULL, checksum INTEGER NOT NULL,
      heads BLOB NOT NULL, body BLOB NOT NULL)
    """,
    """
    CREATE VIEW journal AS
      SELECT place >> 36 AS tree, place & \(RowNumber.lastEntry) AS number, revision, nodes, body
        FROM entries WHERE heads IS NULL
      UNION ALL SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'),
          json_extract(value, '$[2]'), json_extract(value, '$[3]'),
          substr(body, json_extract(value, '$[5]') + 1, json_extract(value, '$[6]'))
        FROM (SELECT heads, body FROM entries WHERE heads IS NOT NULL
          UNION ALL SELECT heads, body FROM bundles), json_each(CAST(heads AS TEXT))
    """,
  ]

  /// Writes what has arrived in this transaction.
  ///
  /// Where something came that is too long to arrive, a row is written in any case: each commit
  /// with entries adds one, by which commits are counted (``GenerationMarker``).
  mutating func writeBundle() throws(StorageError) {
    guard !arriving.bundle.isEmpty || arriving.isCountOwed else { return }
    try insert(arriving.bundle.finish())
    arriving.isCountOwed = false
  }

  /// Adds a row behind all others.
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

  /// Goes through the rows from one on, in the order in which they came, until `visit` says false.
  ///
  /// - Throws: ``StorageError/damaged(_:)`` where it cannot be told whose entries are in one: they
  ///   could be the last ones of any tree, which nothing else tells of.
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

  /// Reads what has arrived since that was last read, so that each row is read once.
  mutating func updateArrivals() throws(StorageError) {
    guard format >= Self.formatOfBundles else { return }
    var known = arrivals
    // Until it is known how it goes on.
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
