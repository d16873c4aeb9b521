internal import TreeDomain

// Entries of many trees in the order they came.
//
// Each tree's entries stand together, so that a commit for sixty-four clients with a tree each
// would write sixty-four pages, which takes six times as long as to write as much to one place. So
// the short ones are put one behind the other first, and sorted into their places many at a time.
// Whoever reads sees both as one, in the view `journal`.
extension SQLiteConnection {
  /// The columns of an entry, in the order they are written in.
  static let entryColumns = "place, revision, nodes, head, checksum, body"

  /// From how many trees on the entries of a commit are arrivals.
  fileprivate static let scatteredTrees = 4
  /// How long an arrival may be: what fills a page by itself is written once.
  fileprivate static let arrivalBytes = 1_024

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

  /// The number of the last arrival: as many there are, or fewer.
  var lastArrival: Int {
    mutating get { (try? rows("SELECT max(id) FROM arrivals") { $0.integer(0) }.first) ?? 0 }
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
  }

  /// Copies the log into the file if so many pages of it were written since.
  mutating func copyLog(atLeast pages: Int) throws(StorageError) {
    guard writtenPages >= pages else { return }
    writtenPages = 0
    try run("PRAGMA wal_checkpoint(PASSIVE)")
  }
}

extension StoredEntry {
  var isShort: Bool { body.count <= SQLiteConnection.arrivalBytes }
}

extension [StorageChange] {
  /// Whether there are short entries of many trees among them.
  var areScattered: Bool {
    var trees: Set<TreeNumber> = []
    for case .append(let entry, let tree) in self where entry.isShort {
      trees.insert(tree)
      if trees.count >= SQLiteConnection.scatteredTrees { return true }
    }
    return false
  }
}
