internal import TreeDomain

// Entries in the order they came.
//
// Each tree's entries stand together, so that a commit for sixty-four clients with a tree each
// would write sixty-four pages, which takes six times as long as to write as much to one place; and
// for one client, whose tree has others behind it, every third commit would split a page in the
// middle of the B-tree and write four. So the short ones are put one behind the other first, and
// sorted into their places many at a time. Whoever reads sees both as one, in the view `journal`.
extension SQLiteConnection {
  /// The columns of an entry, in the order they are written in.
  static let entryColumns = "place, revision, nodes, head, checksum, body"

  /// How long an arrival may be: what fills a page by itself is written once.
  static let maxArrivalBytes = 1_024

  /// Where arrivals are, and the view in which they stand among the other entries.
  static let arrivals = [
    """
    CREATE TABLE arrivals (id INTEGER PRIMARY KEY, place INTEGER NOT NULL,
      revision INTEGER NOT NULL, nodes INTEGER NOT NULL, head INTEGER NOT NULL,
      checksum INTEGER NOT NULL, body BLOB NOT NULL)
    """,
    """
    CREATE VIEW journal AS SELECT \(entryColumns) FROM entries
      UNION ALL SELECT \(entryColumns) FROM arrivals
    """,
  ]

  /// Where entries are read from.
  var journal: String { format < Self.formatOfArrivals ? "entries" : "journal" }

  /// Finds out what has arrived: to be asked at the start, and when a transaction was taken back.
  mutating func listArrivals() throws(StorageError) {
    let places = try rows("SELECT place FROM arrivals") { $0.integer(0) }
    arrivalCount = places.count
    lastPlaces = [:]
    for place in places {
      let tree = RowNumber.tree(at: place)
      guard let last = lastPlaces[tree] else {
        lastPlaces[tree] = max(place, try lastSortedPlace(of: tree) ?? 0)
        continue
      }
      lastPlaces[tree] = max(place, last)
    }
  }

  /// Notes that an entry is written, which must be behind all others of its tree.
  mutating func take(
    _ place: Int,
    of tree: TreeNumber,
    arrives: Bool
  ) throws(StorageError) {
    // A tree of which nothing has arrived has all its entries in their places.
    let known = lastPlaces[tree]
    let last = if let known { known } else { try lastSortedPlace(of: tree) ?? 0 }
    guard place > last else {
      throw .refused("tree \(tree.value) has an entry \(place & RowNumber.lastEntry) already")
    }
    if arrives { arrivalCount += 1 }
    if arrives || known != nil { lastPlaces[tree] = place }
  }

  private mutating func lastSortedPlace(of tree: TreeNumber) throws(StorageError) -> Int? {
    try rows(
      "SELECT place FROM entries WHERE place BETWEEN ? AND ? ORDER BY place DESC LIMIT 1",
      .integer(RowNumber.entry(0, of: tree)),
      .integer(RowNumber.entry(RowNumber.lastEntry, of: tree))
    ) { $0.integer(0) }.first
  }

  /// Puts arrivals where they belong.
  ///
  /// An arrival whose place is taken was damaged: it is missed where it belongs.
  mutating func sortArrivals() throws(StorageError) {
    try run(
      """
      INSERT OR IGNORE INTO entries (\(Self.entryColumns))
      SELECT \(Self.entryColumns) FROM arrivals ORDER BY place
      """
    )
    try run("DELETE FROM arrivals")
    arrivalCount = 0
    lastPlaces = [:]
  }

  /// Copies the log into the file if so many pages of it were written since.
  mutating func copyLog(atLeast pages: Int) throws(StorageError) {
    guard writtenPages >= pages else { return }
    writtenPages = 0
    try run("PRAGMA wal_checkpoint(PASSIVE)")
  }
}
