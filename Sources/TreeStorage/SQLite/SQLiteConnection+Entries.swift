internal import TreeDomain

// Reading entries from both tables. Precondition, unless stated: `arrivals` is up to date.
extension SQLiteConnection {
  /// Returns the number of the last entry, and the revision and node count after it.
  ///
  /// - Throws: ``StorageError/damaged(_:)`` if the last entry is damaged.
  mutating func lastNumbers(
    of tree: TreeNumber
  ) throws(StorageError) -> (entry: Int, revision: Int, nodeCount: Int) {
    // Entries in `bundles` come after those in `entries`, except long ones.
    let arrived = arrivals.members[tree]?.last
    let last = try rows(
      """
      SELECT place, revision, nodes, head FROM entries WHERE place BETWEEN ? AND ?
      ORDER BY place DESC LIMIT 1
      """,
      .integer(RowNumber.entry((arrived?.number ?? 0) + 1, of: tree)),
      .integer(RowNumber.entry(RowNumber.lastEntry, of: tree))
    ) { row throws(StorageError) in
      let entry = StoredEntry(
        number: row.integer(0) & RowNumber.lastEntry,
        revision: row.integer(1),
        nodeCount: row.integer(2),
        body: []
      )
      guard entry.head(in: tree).value == row.integer(3) else { throw Self.damagedTree(tree) }
      return entry
    }
    if let last = last.first { return (last.number, last.revision, last.nodeCount) }
    if let arrived {
      guard arrived.isWhole else { throw Self.damagedTree(tree) }
      return (arrived.number, arrived.revision, arrived.nodeCount)
    }
    guard let snapshot = try snapshot(of: tree) else { return (0, 0, 0) }
    return (snapshot.entry, snapshot.revision, snapshot.nodeCount)
  }

  /// Returns an upper bound of the stored revisions of all trees and sessions.
  ///
  /// Trees whose last entry is damaged are left out, because their revision is unknown.
  ///
  /// - Complexity: O(*n* log *n*) for *n* trees.
  mutating func highestRevision(in generations: Generations) throws(StorageError) -> Revision {
    try updateArrivals()
    defer { arrivals = Arrivals() }
    var highest = generations.current
    let numbers = try rows("SELECT number FROM trees WHERE is_deleted = 0") {
      TreeNumber($0.integer(0))
    }
    for number in numbers {
      do throws(StorageError) {
        let last = try lastNumbers(of: number)
        highest = max(highest, generations.bound(entry: last.entry, revision: last.revision))
      } catch .damaged { continue }
    }
    let retired = try rows("SELECT ifnull(max(revision), 0) FROM retired") { $0.integer(0) }
    return max(highest, Revision(UInt64(max(0, retired.first ?? 0))))
  }

  /// Returns entries of a tree after a number, in order, until they have a number of bytes.
  mutating func entries(
    of tree: TreeNumber,
    after number: Int,
    bytes: Int
  ) throws(StorageError) -> [StoredEntry] {
    var list = EntryList(tree, after: number, bytes: bytes)
    var arrived = (arrivals.members[tree] ?? [])[...]
    try visit(
      """
      SELECT place, revision, nodes, entries.body, checksum, heads, pieces.body
      FROM entries LEFT JOIN pieces USING (place)
      WHERE place BETWEEN ? AND ? ORDER BY place, piece
      """,
      [
        .integer(RowNumber.entry(number + 1, of: tree)),
        .integer(RowNumber.entry(RowNumber.lastEntry, of: tree)),
      ]
    ) { row throws(StorageError) in
      let place = row.integer(0)
      if list.isLongEntry(at: place) {
        list.addPiece(row.bytes(6))
        return true
      }
      try list.endLongEntry()
      while let next = arrived.first, next.place < place {
        try list.add(next)
        arrived.removeFirst()
      }
      try list.add(row)
      return !list.isComplete
    }
    try list.endLongEntry()
    for member in arrived where !list.isComplete { try list.add(member) }
    return list.entries
  }
}

/// The result of reading entries of a tree, in order.
private struct EntryList {
  private(set) var entries: [StoredEntry] = []
  /// True if no more entries are taken, because the list is long enough or a number is missing.
  private(set) var isComplete = false
  private let tree: TreeNumber
  private let number: Int
  private var room: Int
  /// The entry whose pieces are being read, with its row number and checksum.
  private var longEntry: (place: Int, checksum: Int, entry: StoredEntry)?

  init(_ tree: TreeNumber, after number: Int, bytes: Int) {
    self.tree = tree
    self.number = number
    room = bytes
  }

  /// Adds the entry or the bundle of a row of `entries`.
  mutating func add(_ row: SQLiteStatement) throws(StorageError) {
    let number = row.integer(0) & RowNumber.lastEntry
    let heads = row.bytes(5)
    if heads.isEmpty {
      let entry = StoredEntry(
        number: number,
        revision: row.integer(1),
        nodeCount: row.integer(2),
        body: row.bytes(3)
      )
      guard entry.body.count >= LongEntries.pieceBytes else {
        return try add(number, row.integer(4)) { entry }
      }
      longEntry = (row.integer(0), row.integer(4), entry)
      return addPiece(row.bytes(6))
    }
    let members = EntryBundle.members(heads: heads, body: row.bytes(3))
    guard let members, members.last?.number == number else {
      throw .damaged("an entry of tree number \(tree.value) up to \(number) is not as written")
    }
    for member in members { try add(member) }
  }

  /// Returns true if a row continues the entry whose pieces are being read.
  func isLongEntry(at place: Int) -> Bool { longEntry?.place == place }

  mutating func addPiece(_ bytes: [UInt8]) { longEntry?.entry.body += bytes }

  /// Adds the entry whose pieces were read, if there is one.
  mutating func endLongEntry() throws(StorageError) {
    guard let (_, checksum, entry) = longEntry else { return }
    longEntry = nil
    try add(entry.number, checksum) { entry }
  }

  mutating func add(_ member: EntryBundle.Member) throws(StorageError) {
    try add(member.number, member.checksum) { member.entry }
  }

  /// Adds an entry, if it is in the requested range and the list is not complete.
  ///
  /// - Throws: ``StorageError/damaged(_:)`` if the entry is damaged, or if the first entry is
  ///   missing.
  private mutating func add(
    _ number: Int,
    _ checksum: Int,
    _ entry: () -> StoredEntry
  ) throws(StorageError) {
    guard !isComplete, number > self.number else { return }
    let awaited = self.number + entries.count + 1
    guard number == awaited else {
      // Entries after a gap may belong to a later read. A gap before the first entry is damage.
      isComplete = true
      guard entries.isEmpty else { return }
      throw .damaged("entry \(awaited) of tree number \(tree.value) is missing before \(number)")
    }
    let entry = entry()
    guard entry.checksum(in: tree) == checksum else {
      throw .damaged("entry \(number) of tree number \(tree.value) is not as it was written")
    }
    entries.append(entry)
    room -= entry.body.count
    isComplete = room <= 0
  }
}
