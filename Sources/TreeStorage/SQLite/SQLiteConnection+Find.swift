internal import TreeDomain

// Single rows, each checked to be as it was written.
extension SQLiteConnection {
  /// A tree that was not deleted.
  mutating func tree(_ number: TreeNumber) throws(StorageError) -> StoredTree? {
    let trees = try rows(
      "SELECT id, is_private, about, checksum FROM trees WHERE number = ? AND is_deleted = 0",
      .integer(number.value)
    ) { row throws(StorageError) in
      guard let id = TreeID(validating: row.bytes(0)) else { throw Self.damagedTree(number) }
      let tree = StoredTree(
        number: number,
        id: id,
        isPrivate: row.boolean(1),
        about: row.bytes(2)
      )
      guard tree.checksum == row.integer(3) else { throw Self.damagedTree(number) }
      return tree
    }
    guard var tree = trees.first else { return nil }
    let last = try lastNumbers(of: number)
    tree.revision = last.revision
    tree.nodeCount = last.nodeCount
    return tree
  }

  /// The revision and the number of nodes after the last entry.
  private mutating func lastNumbers(
    of tree: TreeNumber
  ) throws(StorageError) -> (revision: Int, nodeCount: Int) {
    let last = try rows(
      """
      SELECT place, revision, nodes, head FROM \(journal) WHERE place BETWEEN ? AND ?
      ORDER BY place DESC LIMIT 1
      """,
      .integer(RowNumber.entry(0, of: tree)),
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
    if let last = last.first { return (last.revision, last.nodeCount) }
    let snapshot = try snapshot(of: tree)
    return (snapshot?.revision ?? 0, snapshot?.nodeCount ?? 0)
  }

  private static func damagedTree(_ number: TreeNumber) -> StorageError {
    .damaged("tree \(number.value): what is kept about it is not as it was written")
  }

  /// Entries of a tree behind one, until they are so many bytes.
  mutating func entries(
    of tree: TreeNumber,
    after number: Int,
    bytes: Int
  ) throws(StorageError) -> [StoredEntry] {
    var entries: [StoredEntry] = []
    var room = bytes
    try visit(
      """
      SELECT place, revision, nodes, body, checksum FROM \(journal) WHERE place BETWEEN ? AND ?
      ORDER BY place
      """,
      [
        .integer(RowNumber.entry(number + 1, of: tree)),
        .integer(RowNumber.entry(RowNumber.lastEntry, of: tree)),
      ]
    ) { row throws(StorageError) in
      let awaited = number + entries.count + 1
      let entry = try Self.entry(row, of: tree)
      guard entry.number == awaited else {
        // What is behind a gap is not asked for; where nothing is before it, that is damage.
        guard entries.isEmpty else { return false }
        throw .damaged(
          "tree \(tree.value): entry \(awaited) is missing before \(entry.number)"
        )
      }
      entries.append(entry)
      room -= entry.body.count
      return room > 0
    }
    return entries
  }

  private static func entry(
    _ row: SQLiteStatement,
    of tree: TreeNumber
  ) throws(StorageError) -> StoredEntry {
    let entry = StoredEntry(
      number: row.integer(0) & RowNumber.lastEntry,
      revision: row.integer(1),
      nodeCount: row.integer(2),
      body: row.bytes(3)
    )
    guard entry.checksum(in: tree) == row.integer(4) else {
      throw .damaged("tree \(tree.value), entry \(entry.number): it is not as it was written")
    }
    return entry
  }

  /// The newest snapshot of a tree that is whole.
  mutating func snapshot(of tree: TreeNumber) throws(StorageError) -> StoredSnapshot? {
    try rows(
      """
      SELECT entry, parts, revision, nodes, checksum FROM snapshots
      WHERE tree = ? AND is_whole = 1 ORDER BY id DESC LIMIT 1
      """,
      .integer(tree.value)
    ) { row throws(StorageError) in
      let snapshot = StoredSnapshot(
        tree: tree,
        entry: row.integer(0),
        parts: row.integer(1),
        revision: row.integer(2),
        nodeCount: row.integer(3)
      )
      guard snapshot.checksum == row.integer(4) else { throw Self.damagedTree(tree) }
      return snapshot
    }.first
  }

  /// A part of a snapshot.
  mutating func part(
    _ index: Int,
    of snapshot: StoredSnapshot,
    _ id: Int
  ) throws(StorageError) -> [UInt8] {
    let parts = try rows(
      "SELECT body, checksum FROM parts WHERE place = ?",
      .integer(RowNumber.part(index, of: id))
    ) { (bytes: $0.bytes(0), checksum: $0.integer(1)) }
    guard let part = parts.first, snapshot.checksum(ofPart: index, part.bytes) == part.checksum
    else {
      throw .damaged(
        "tree \(snapshot.tree.value): part \(index) of its snapshot is not as it was written"
      )
    }
    return part.bytes
  }

  /// The columns of a session, in the order they are read in.
  var sessionColumns: String {
    let digest =
      switch format {
      case ..<Self.formatOfSecrets: "NULL"
      case ..<Self.formatOfDigests: "secret"
      default: "digest"
      }
    return "id, tree, is_private, idle_timeout, last_use, is_expired, checksum, " + digest
  }

  /// A session, whatever has become of it.
  mutating func session(_ id: SessionID) throws(StorageError) -> StoredSession? {
    try rows(
      "SELECT \(sessionColumns) FROM sessions WHERE id = ?",
      .bytes(id.bytes),
      read: Self.session
    ).first
  }

  /// Reads a session off its columns.
  static func session(_ row: SQLiteStatement) throws(StorageError) -> StoredSession {
    guard let id = SessionID(row.bytes(0)[...]) else {
      throw .damaged("a row of the table `sessions` names none")
    }
    var session = StoredSession(
      id: id,
      tree: TreeNumber(row.integer(1)),
      isPrivate: row.boolean(2),
      idleTimeoutSeconds: row.integer(3),
      lastUse: row.integer(4)
    )
    session.isExpired = row.boolean(5)
    session.digest = SecretDigest(bytes: row.bytes(7))
    guard session.checksum == row.integer(6) else {
      throw .damaged("a row of the table `sessions` is not as it was written")
    }
    return session
  }
}
