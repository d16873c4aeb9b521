internal import TreeDomain

// Stored values. Each is checked against its checksum.
extension PostgreSQLRow {
  /// The columns of a tree, without the values that its entries contain.
  static let treeColumns = """
    trees.tree_no, trees.id, trees.is_private, trees.about, trees.checksum
    """

  /// The columns of a session.
  static let sessionColumns = """
    id, tree_no, is_private, idle_timeout, last_use, is_expired, checksum, digest, is_view
    """

  /// Returns a query for a slot's live sessions.
  ///
  /// Its parameter is the first half of their digest.
  ///
  /// A row has ``sessionColumns``, and then the slot.
  static func sessionQuery(inSlot slot: Int) -> String {
    let schema = PostgreSQLSchema.name(ofSlot: slot)
    return """
      SELECT \(sessionColumns), \(slot)::bigint FROM \(schema).sessions AS sessions
      WHERE substr(digest, 1, 16) = $1::bytea AND digest IS NOT NULL AND NOT is_expired
      AND EXISTS (SELECT 1 FROM \(schema).trees
      WHERE trees.tree_no = sessions.tree_no AND NOT is_deleted)
      """
  }

  /// The column of the slot in a row of ``sessionQuery(inSlot:)``.
  static let slotColumn: Int32 = 9

  /// The columns of an entry.
  static let entryColumns = "seq, revision, nodes, head, checksum, body"

  /// The columns of a snapshot.
  static let snapshotColumns = "entry, parts, revision, nodes, checksum"

  static func damagedTree(_ number: Int) -> StorageError {
    .damaged("what is kept about tree number \(number) is not as it was written")
  }

  /// Returns the tree of ``treeColumns``.
  ///
  /// - Throws: ``StorageError/damaged(_:)``.
  func tree() throws(StorageError) -> StoredTree {
    let number = integer(0)
    guard let id = TreeID(validating: bytes(1)) else { throw Self.damagedTree(number) }
    let tree = StoredTree(
      number: TreeNumber(number),
      id: id,
      isPrivate: boolean(2),
      about: bytes(3)
    )
    guard tree.checksum == integer(4) else { throw Self.damagedTree(number) }
    return tree
  }

  /// Returns the session of ``sessionColumns``.
  ///
  /// - Throws: ``StorageError/damaged(_:)``.
  func session() throws(StorageError) -> StoredSession {
    guard let id = SessionID(bytes(0)[...]) else {
      throw .damaged("a row of the table `sessions` names none")
    }
    var session = StoredSession(
      id: id,
      tree: TreeNumber(integer(1)),
      isPrivate: boolean(2),
      idleTimeoutSeconds: integer(3),
      lastUse: integer(4)
    )
    session.isExpired = boolean(5)
    session.digest = SecretDigest(bytes: bytes(7))
    session.access = boolean(8) ? .view : .write
    guard session.checksum == integer(6) else {
      throw .damaged("a row of the table `sessions` is not as it was written")
    }
    return session
  }

  /// Returns the snapshot of ``snapshotColumns``, from a column on.
  ///
  /// - Throws: ``StorageError/damaged(_:)``.
  func snapshot(of tree: TreeNumber, from column: Int32 = 0) throws(StorageError) -> StoredSnapshot
  {
    let snapshot = StoredSnapshot(
      tree: tree,
      entry: integer(column),
      parts: integer(column + 1),
      revision: integer(column + 2),
      nodeCount: integer(column + 3)
    )
    guard snapshot.checksum == integer(column + 4) else { throw Self.damagedTree(tree.value) }
    return snapshot
  }

  /// Returns the entry of ``entryColumns``.
  ///
  /// - Throws: ``StorageError/damaged(_:)``.
  func entry(of tree: TreeNumber) throws(StorageError) -> StoredEntry {
    let entry = StoredEntry(
      number: integer(0),
      revision: integer(1),
      nodeCount: integer(2),
      body: bytes(5)
    )
    let head = entry.head(in: tree)
    guard head.value == integer(3), head.adding(entry.body).value == integer(4) else {
      throw .damaged("entry \(entry.number) of tree number \(tree.value) is not as it was written")
    }
    return entry
  }
}
