internal import TreeDomain

// Reading single rows. Each is compared with its checksum, and damage is thrown.
extension SQLiteConnection {
  /// Returns a tree; nil if it was deleted.
  mutating func tree(_ number: TreeNumber) throws(StorageError) -> StoredTree? {
    guard var tree = try treeAlone(number) else { return nil }
    let last = try lastNumbers(of: number)
    tree.revision = last.revision
    tree.nodeCount = last.nodeCount
    return tree
  }

  /// Returns a tree without its revision and node count; nil if it was deleted.
  mutating func treeAlone(_ number: TreeNumber) throws(StorageError) -> StoredTree? {
    try rows(
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
    }.first
  }

  static func damagedTree(_ number: TreeNumber) -> StorageError {
    .damaged("what is kept about tree number \(number.value) is not as it was written")
  }

  /// Returns the newest complete snapshot of a tree.
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

  /// Returns a part of the snapshot with an id.
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
        "part \(index) of a snapshot of tree number \(snapshot.tree.value) is not as written"
      )
    }
    return part.bytes
  }

  /// The columns of a session, in the order in which ``session(_:)`` reads them.
  static let sessionColumns =
    "id, tree, is_private, idle_timeout, last_use, is_expired, checksum, digest, is_view"

  /// Returns a session, expired or not.
  ///
  /// Its tree may be deleted.
  mutating func session(_ id: SessionID) throws(StorageError) -> StoredSession? {
    try rows(
      "SELECT \(Self.sessionColumns) FROM sessions WHERE id = ?",
      .bytes(id.bytes),
      read: Self.session
    ).first
  }

  /// Reads a session from a row with ``sessionColumns``.
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
    session.access = row.boolean(8) ? .view : .write
    guard session.checksum == row.integer(6) else {
      throw .damaged("a row of the table `sessions` is not as it was written")
    }
    return session
  }
}
