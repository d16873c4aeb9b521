internal import TreeDomain

// The entries of a tree, wherever they are: to be asked for where `arrivals` is up to date.
extension SQLiteConnection {
  /// Where entries are read from that stand in rows.
  private var journal: String {
    let hasView = (Self.formatOfArrivals..<Self.formatOfBundles).contains(format)
    return hasView ? "journal" : "entries"
  }

  private var heads: String { format < Self.formatOfBundles ? "NULL" : "heads" }

  /// Returns the number of the last entry, and the revision and the number of nodes after it.
  mutating func lastNumbers(
    of tree: TreeNumber
  ) throws(StorageError) -> (entry: Int, revision: Int, nodeCount: Int) {
    // What arrived is behind all that is in its place, but for what was too long to arrive.
    let arrived = arrivals.members[tree]?.last
    let last = try rows(
      """
      SELECT place, revision, nodes, head FROM \(journal) WHERE place BETWEEN ? AND ?
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

  /// Entries of a tree behind one, until they are so many bytes.
  mutating func entries(
    of tree: TreeNumber,
    after number: Int,
    bytes: Int
  ) throws(StorageError) -> [StoredEntry] {
    var list = EntryList(tree, after: number, bytes: bytes)
    var arrived = (arrivals.members[tree] ?? [])[...]
    try visit(
      """
      SELECT place, revision, nodes, body, checksum, \(heads) FROM \(journal)
      WHERE place BETWEEN ? AND ? ORDER BY place
      """,
      [
        .integer(RowNumber.entry(number + 1, of: tree)),
        .integer(RowNumber.entry(RowNumber.lastEntry, of: tree)),
      ]
    ) { row throws(StorageError) in
      let place = row.integer(0)
      while let next = arrived.first, next.place < place {
        try list.add(next)
        arrived.removeFirst()
      }
      try list.add(row)
      return !list.isComplete
    }
    for member in arrived where !list.isComplete { try list.add(member) }
    return list.entries
  }
}

/// Entries of a tree as they are read, in order.
private struct EntryList {
  private(set) var entries: [StoredEntry] = []
  /// Whether there is no more to be taken: it is as long as was asked for, or there is a gap.
  private(set) var isComplete = false
  private let tree: TreeNumber
  private let number: Int
  private var room: Int

  init(_ tree: TreeNumber, after number: Int, bytes: Int) {
    self.tree = tree
    self.number = number
    room = bytes
  }

  /// Adds what a row of entries stands for.
  mutating func add(_ row: SQLiteStatement) throws(StorageError) {
    let number = row.integer(0) & RowNumber.lastEntry
    let heads = row.bytes(5)
    if heads.isEmpty {
      let (revision, nodeCount, body) = (row.integer(1), row.integer(2), row.bytes(3))
      return try add(number, row.integer(4)) {
        StoredEntry(number: number, revision: revision, nodeCount: nodeCount, body: body)
      }
    }
    let members = EntryBundle.members(heads: heads, body: row.bytes(3))
    guard let members, members.last?.number == number else {
      throw .damaged("an entry of tree number \(tree.value) up to \(number) is not as written")
    }
    for member in members { try add(member) }
  }

  mutating func add(_ member: EntryBundle.Member) throws(StorageError) {
    try add(member.number, member.checksum) { member.entry }
  }

  /// Adds an entry, unless it is before those that were asked for, or behind all that are wanted.
  private mutating func add(
    _ number: Int,
    _ checksum: Int,
    _ entry: () -> StoredEntry
  ) throws(StorageError) {
    guard !isComplete, number > self.number else { return }
    let awaited = self.number + entries.count + 1
    guard number == awaited else {
      // What is behind a gap is not asked for; where nothing is before it, that is damage.
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
