internal import TreeDomain

// Short entries are first written in commit order, to the table `bundles`.
//
// In the table `entries`, the entries of each tree are adjacent. A commit for 64 clients with a
// tree each would write 64 pages there. That takes six times as long as to write the same content
// to one page. A single client is affected as well, if other trees come after its tree. Every third
// commit would then split a page in the middle of the B-tree, and write four pages.
//
// So the short entries of a commit become one row of `bundles`. Later, many of them are moved to
// `entries` at once. Adjacent entries of a tree share a row there, because a row costs SQLite
// several times as much as one more entry in a row. Readers merge both tables.
extension SQLiteConnection {
  /// The columns of an entry, in the order in which they are written.
  static let entryColumns = "place, revision, nodes, head, checksum, body"

  /// The maximum length of a body in `bundles`, in bytes.
  ///
  /// A longer one nearly fills a page, so it is written to `entries` at once.
  static let maxArrivalBytes = 1_024

  /// Reads the table `bundles`, unless its content is known.
  ///
  /// - Complexity: O(bytes) of the table.
  mutating func listArrivals() throws(StorageError) {
    guard !arriving.isKnown else { return }
    var found = ArrivingEntries()
    try visitBundles(from: 0) { row in
      found.add(row)
      return true
    }
    for tree in found.lastPlaces.keys {
      found.record(try lastSortedPlace(of: tree) ?? 0, of: tree)
    }
    found.isKnown = true
    arriving = found
  }

  /// Adds an entry to the running transaction.
  ///
  /// - Throws: ``StorageError/refused(_:)`` if the entry does not come after all others of its
  ///   tree.
  mutating func append(_ entry: StoredEntry, to tree: TreeNumber) throws(StorageError) {
    try checkPlace(of: entry, in: tree)
    // The state is moved out, because it uses this connection.
    var entries = longEntries
    defer { longEntries = entries }
    try entries.clear(for: entry, of: tree, &self)
    guard entry.body.count <= Self.maxArrivalBytes else {
      let checksum = try entries.finish(entry, of: tree, &self)
      let member = EntryBundle.Member(entry, of: tree, checksum: checksum)
      if arriving.lastPlaces[tree] != nil { arriving.record(member.place, of: tree) }
      arriving.isCountOwed = true
      return try insert(member, "INSERT", Array(entry.body.prefix(LongEntries.pieceBytes)), nil)
    }
    arriving.add(EntryBundle.Member(entry, of: tree, checksum: entry.checksum(in: tree)))
    if arriving.bundle.isFull { try writeBundle() }
  }

  /// Writes a part of a long entry ahead of its row; see ``LongEntries``.
  ///
  /// - Returns: True if there is more to write.
  /// - Throws: ``StorageError/refused(_:)`` if the entry does not come after all others of its
  ///   tree.
  mutating func writeAhead(
    _ entry: StoredEntry,
    of tree: TreeNumber,
    bytes: Int
  ) throws(StorageError) -> Bool {
    try checkPlace(of: entry, in: tree)
    var entries = longEntries
    defer { longEntries = entries }
    return try entries.writeAhead(entry, of: tree, bytes: bytes, &self)
  }

  /// Removes some pieces of entries that were not written.
  ///
  /// - Returns: False if there are none.
  mutating func removeStalePieces(bytes: Int) throws(StorageError) -> Bool {
    var entries = longEntries
    defer { longEntries = entries }
    return try entries.removeStale(bytes: bytes, &self)
  }

  /// Checks that an entry comes after all others of its tree.
  private mutating func checkPlace(
    of entry: StoredEntry,
    in tree: TreeNumber
  ) throws(StorageError) {
    try listArrivals()
    // If no entry of a tree is in `bundles`, the last one is in `entries`.
    let known = arriving.lastPlaces[tree]
    let last = if let known { known } else { try lastSortedPlace(of: tree) ?? 0 }
    guard RowNumber.entry(entry.number, of: tree) > last else {
      throw .refused("tree number \(tree.value) has an entry \(entry.number) already")
    }
  }

  private mutating func lastSortedPlace(of tree: TreeNumber) throws(StorageError) -> Int? {
    try rows(
      "SELECT place FROM entries WHERE place BETWEEN ? AND ? ORDER BY place DESC LIMIT 1",
      .integer(RowNumber.entry(0, of: tree)),
      .integer(RowNumber.entry(RowNumber.lastEntry, of: tree))
    ) { $0.integer(0) }.first
  }

  /// Moves the entries in `bundles` to the table `entries`.
  ///
  /// Damaged rows stay.
  ///
  /// - Precondition: The transaction has written its entries.
  /// - Complexity: O(*n* log *n*) for *n* entries.
  mutating func sortArrivals() throws(StorageError) {
    precondition(arriving.bundle.isEmpty, "an entry that is not written is not sorted")
    try listArrivals()
    var row = EntryBundle(ofOneTree: true)
    var last: EntryBundle.Member?
    for member in arriving.members.sorted(by: { $0.place < $1.place }) {
      // A gap is an entry that was too long for `bundles`; it is in `entries` already.
      if let last, last.place + 1 != member.place || row.isFull {
        try put(row.finish(), endingWith: last)
      }
      row.add(member)
      last = member
    }
    if let last { try put(row.finish(), endingWith: last) }
    // The last row stays, so that no number of a row is used twice.
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

  /// Writes adjacent entries of a tree as one row.
  ///
  /// An existing row at this place is damage. It is kept, and reading it reports the damage.
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

  /// Copies the log into the database file, as far as no reader needs the old pages there.
  ///
  /// - Returns: The length of the log in pages.
  mutating func copyLog() throws(StorageError) -> Int {
    writtenPages = 0
    return try rows("PRAGMA wal_checkpoint(PASSIVE)") { $0.integer(1) }.first ?? 0
  }
}
