internal import TreeDomain

// Entries in the order they came.
//
// Each tree's entries stand together, so that a commit for sixty-four clients with a tree each
// would write sixty-four pages, which takes six times as long as to write as much to one place; and
// for one client, whose tree has others behind it, every third commit would split a page in the
// middle of the B-tree and write four. So the short ones of a commit become one row of `bundles`,
// and are sorted into their places many at a time, where those of a tree become one row again: to
// write a row takes SQLite several times as long as to have an entry more in one. Whoever reads
// sees all of them as one.
extension SQLiteConnection {
  /// The columns of an entry, in the order they are written in.
  static let entryColumns = "place, revision, nodes, head, checksum, body"

  /// How long an arrival may be: what fills a page by itself is written once.
  static let maxArrivalBytes = 1_024

  /// Where arrivals were before there were bundles, a row each, and the view in which they stood
  /// among the other entries.
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

  /// Finds out what has arrived, unless that is known.
  mutating func listArrivals() throws(StorageError) {
    guard !arriving.isKnown else { return }
    var found = ArrivingEntries()
    try visitBundles(from: 0) { row in
      found.add(row)
      return true
    }
    for tree in found.lastPlaces.keys {
      found.note(try lastSortedPlace(of: tree) ?? 0, of: tree)
    }
    found.isKnown = true
    arriving = found
  }

  /// Adds an entry in the running transaction, which must be behind all others of its tree.
  mutating func append(_ entry: StoredEntry, to tree: TreeNumber) throws(StorageError) {
    try listArrivals()
    let member = EntryBundle.Member(entry, of: tree)
    // A tree of which nothing has arrived has all its entries in their places.
    let known = arriving.lastPlaces[tree]
    let last = if let known { known } else { try lastSortedPlace(of: tree) ?? 0 }
    guard member.place > last else {
      throw .refused("tree number \(tree.value) has an entry \(entry.number) already")
    }
    guard entry.body.count <= Self.maxArrivalBytes else {
      if known != nil { arriving.note(member.place, of: tree) }
      arriving.isCountOwed = true
      return try insert(member, "INSERT", entry.body, nil)
    }
    arriving.add(member)
    if arriving.bundle.isFull { try writeBundle() }
  }

  private mutating func lastSortedPlace(of tree: TreeNumber) throws(StorageError) -> Int? {
    try rows(
      "SELECT place FROM entries WHERE place BETWEEN ? AND ? ORDER BY place DESC LIMIT 1",
      .integer(RowNumber.entry(0, of: tree)),
      .integer(RowNumber.entry(RowNumber.lastEntry, of: tree))
    ) { $0.integer(0) }.first
  }

  /// Puts arrivals where they belong, but for those in rows that are damaged, which stay.
  ///
  /// - Complexity: O(*n* log *n*) for *n* arrivals.
  mutating func sortArrivals() throws(StorageError) {
    precondition(arriving.bundle.isEmpty, "an entry that is not written is not sorted")
    try listArrivals()
    var row = EntryBundle(ofOneTree: true)
    var last: EntryBundle.Member?
    for member in arriving.members.sorted(by: { $0.place < $1.place }) {
      // What came between two, and was too long to arrive, stands between them.
      if let last, last.place + 1 != member.place || row.isFull {
        try put(row.finish(), endingWith: last)
      }
      row.add(member)
      last = member
    }
    if let last { try put(row.finish(), endingWith: last) }
    // One stays, so that no number of a row comes twice.
    try insert(arriving.bundle.finish())
    try removeBundles(before: lastRow, except: arriving.damaged)
    arriving.removeSorted()
  }

  private mutating func removeBundles(
    before end: Int,
    except damaged: [Int]
  ) throws(StorageError) {
    var first = 0
    for id in damaged + [end] {
      try run("DELETE FROM bundles WHERE id >= ? AND id < ?", .integer(first), .integer(id))
      first = id + 1
    }
  }

  /// Writes entries of a tree that follow each other.
  ///
  /// Where their place is taken there is damage, which whoever reads what stands there is told of.
  private mutating func put(
    _ row: EntryBundle.Texts,
    endingWith last: EntryBundle.Member
  ) throws(StorageError) {
    try insert(last, "INSERT OR IGNORE", row.body, row.heads)
  }

  private mutating func insert(
    _ last: EntryBundle.Member,
    _ verb: String,
    _ body: [UInt8],
    _ heads: [UInt8]?
  ) throws(StorageError) {
    try run(
      "\(verb) INTO entries (\(Self.entryColumns), heads) VALUES (?, ?, ?, ?, ?, ?, ?)",
      .integer(last.place),
      .integer(last.revision),
      .integer(last.nodeCount),
      .integer(last.head.value),
      .integer(last.checksum),
      .bytes(body),
      heads.map { .bytes($0) } ?? .null
    )
  }

  /// Copies the log into the file, as far as nobody reads what the file has instead.
  ///
  /// - Returns: How many pages the log has.
  mutating func copyLog() throws(StorageError) -> Int {
    writtenPages = 0
    return try rows("PRAGMA wal_checkpoint(PASSIVE)") { $0.integer(1) }.first ?? 0
  }
}
