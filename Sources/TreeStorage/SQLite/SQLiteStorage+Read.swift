package import TreeDomain

// Reading what was committed. Each function throws ``StorageError``.
extension SQLiteStorage {
  /// Returns the shared trees, sorted by id.
  ///
  /// A tree with damaged entries is included, and marked as damaged.
  package func sharedTrees() throws(StorageError) -> [StoredTree] {
    try readEntries { connection throws(StorageError) in
      let numbers = try connection.rows(
        "SELECT number FROM trees WHERE is_deleted = 0 AND is_private = 0 ORDER BY id"
      ) { TreeNumber($0.integer(0)) }
      var trees: [StoredTree] = []
      for number in numbers {
        do throws(StorageError) {
          if let tree = try connection.tree(number) { trees.append(tree) }
        } catch .damaged {
          // Requests for this tree are refused; the others are served.
          guard var tree = try connection.treeAlone(number) else { continue }
          tree.isDamaged = true
          trees.append(tree)
        }
      }
      return trees
    }
  }

  /// Returns up to `limit` numbers of trees after a number, in order.
  package func trees(after number: TreeNumber, limit: Int) throws(StorageError) -> [TreeNumber] {
    try read { connection throws(StorageError) in
      try connection.rows(
        "SELECT number FROM trees WHERE is_deleted = 0 AND number > ? ORDER BY number LIMIT ?",
        .integer(number.value),
        .integer(limit)
      ) { TreeNumber($0.integer(0)) }
    }
  }

  /// Returns a tree by its number; `nil` if it was deleted.
  package func tree(_ number: TreeNumber) throws(StorageError) -> StoredTree? {
    try readEntries { connection throws(StorageError) in try connection.tree(number) }
  }

  /// Returns a number above those of all trees that ever existed.
  package func nextTreeNumber() throws(StorageError) -> TreeNumber {
    try read { connection throws(StorageError) in
      // SQLite's own record has no checksum, so the numbers of the trees count as well.
      let last =
        try connection.rows(
          """
          SELECT max(0, ifnull((SELECT max(number) FROM trees), 0), ifnull(
          (SELECT max(CAST(seq AS INTEGER)) FROM sqlite_sequence WHERE name = 'trees'), 0))
          """
        ) { $0.integer(0) }.first ?? 0
      guard last < RowNumber.lastTree else {
        throw .damaged("the table `sqlite_sequence` says that no number is left for a tree")
      }
      return TreeNumber(last + 1)
    }
  }

  /// Returns the stored reading of the clocks; `nil` if there is none.
  package func clockReading() throws(StorageError) -> ClockReading? {
    try read { connection throws(StorageError) in
      try connection.rows("SELECT seconds, wall_seconds, checksum FROM clock") {
        row throws(StorageError) in
        let reading = ClockReading(seconds: row.integer(0), wallSeconds: row.integer(1))
        guard reading.checksum == row.integer(2) else {
          throw .damaged("a row of the table `clock` is not as it was written")
        }
        return reading
      }.first
    }
  }

  /// Returns the last revision of each slot that has one, in any order.
  package func retiredRevisions() throws(StorageError) -> [RetiredRevision] {
    try read { connection throws(StorageError) in
      try connection.rows("SELECT slot, revision, checksum FROM retired") {
        row throws(StorageError) in
        let revision = Revision(UInt64(truncatingIfNeeded: row.integer(1)))
        let retired = RetiredRevision(slot: row.integer(0), revision: revision)
        guard retired.checksum == row.integer(2) else {
          throw .damaged("a row of the table `retired` is not as it was written")
        }
        return retired
      }
    }
  }

  /// Returns entries of a tree after a number, in order, up to a number of bytes.
  package func entries(
    of tree: TreeNumber,
    after number: Int,
    bytes: Int
  ) throws(StorageError) -> [StoredEntry] {
    try readEntries { connection throws(StorageError) in
      try connection.entries(of: tree, after: number, bytes: bytes)
    }
  }

  /// Returns the newest complete snapshot of a tree; `nil` if there is none.
  package func snapshot(of tree: TreeNumber) throws(StorageError) -> StoredSnapshot? {
    try read { connection throws(StorageError) in try connection.snapshot(of: tree) }
  }

  /// Returns a part of a snapshot, counted from 0.
  ///
  /// - Throws: ``StorageError/failed(_:)`` if a newer snapshot replaced it, or
  ///   ``StorageError/damaged(_:)``.
  package func part(
    _ index: Int,
    of snapshot: StoredSnapshot
  ) throws(StorageError) -> [UInt8] {
    try read { connection throws(StorageError) in
      guard let id = try connection.newestID(of: snapshot, isWhole: true) else {
        throw .failed("the snapshot was replaced by a newer one")
      }
      return try connection.part(index, of: snapshot, id)
    }
  }

  /// Returns a session; `nil` if it never existed or was deleted.
  package func session(_ id: SessionID) throws(StorageError) -> StoredSession? {
    try read { connection throws(StorageError) in
      try connection.rows(
        """
        SELECT \(SQLiteConnection.sessionColumns) FROM sessions
        WHERE id = ? AND (is_expired OR EXISTS
        (SELECT 1 FROM trees WHERE number = sessions.tree AND is_deleted = 0))
        """,
        .bytes(id.bytes),
        read: SQLiteConnection.session
      ).first
    }
  }

  /// Returns the live session with the digest of a secret; `nil` if there is none.
  ///
  /// The index has only the first half of a digest. The whole digest is compared afterwards.
  package func session(openedBy digest: SecretDigest) throws(StorageError) -> StoredSession? {
    try read { connection throws(StorageError) in
      try connection.rows(
        """
        SELECT \(SQLiteConnection.sessionColumns) FROM sessions
        WHERE substr(digest, 1, 16) = ? AND digest IS NOT NULL AND NOT is_expired AND EXISTS
        (SELECT 1 FROM trees WHERE number = sessions.tree AND is_deleted = 0)
        """,
        .bytes(Array(digest.bytes.prefix(16))),
        read: SQLiteConnection.session
      ).first { $0.digest == digest }
    }
  }

  /// Returns the number of sessions that have not expired.
  package func sessionCount() throws(StorageError) -> Int {
    try read { connection throws(StorageError) in
      try connection.rows(
        """
        SELECT count(*) FROM sessions WHERE NOT is_expired AND EXISTS
        (SELECT 1 FROM trees WHERE number = sessions.tree AND is_deleted = 0)
        """
      ) { $0.integer(0) }.first ?? 0
    }
  }

  /// Returns sessions that expired before a time, the earliest first, from an offset on.
  package func sessions(
    expiredBefore time: Int,
    from offset: Int,
    limit: Int
  ) throws(StorageError) -> [StoredSession] {
    try read { connection throws(StorageError) in
      // A damaged row is skipped, so that the others can be removed.
      try connection.rows(
        """
        SELECT \(SQLiteConnection.sessionColumns) FROM sessions
        WHERE ends < ? AND EXISTS
        (SELECT 1 FROM trees WHERE number = sessions.tree AND is_deleted = 0)
        ORDER BY ends LIMIT ? OFFSET ?
        """,
        .integer(time),
        .integer(limit),
        .integer(offset)
      ) { try? SQLiteConnection.session($0) }
      .compactMap(\.self)
    }
  }

  /// Returns sessions after an id in the order of ids, expired ones included.
  package func allSessions(
    after id: SessionID?,
    limit: Int
  ) throws(StorageError) -> [StoredSession] {
    try read { connection throws(StorageError) in
      try connection.rows(
        """
        SELECT \(SQLiteConnection.sessionColumns) FROM sessions
        WHERE id > ? AND (is_expired OR EXISTS
        (SELECT 1 FROM trees WHERE number = sessions.tree AND is_deleted = 0))
        ORDER BY id LIMIT ?
        """,
        .bytes(id?.bytes ?? []),
        .integer(limit),
        read: SQLiteConnection.session
      )
    }
  }

  /// Returns the results of creation requests with an idempotency key, newest last.
  package func creations() throws(StorageError) -> [StoredCreation] {
    try read { connection throws(StorageError) in
      try connection.rows(
        "SELECT token, time, body, checksum FROM creations ORDER BY number, time"
      ) { row throws(StorageError) in
        let creation = StoredCreation(
          token: row.bytes(0),
          time: row.integer(1),
          body: row.bytes(2)
        )
        guard creation.checksum == row.integer(3) else {
          throw .damaged("a row of the table `creations` is not as it was written")
        }
        return creation
      }
    }
  }

  /// Removes some data that nothing refers to any more.
  ///
  /// Returns true if there may be more.
  package func sweep(limit: Int) throws(StorageError) -> Bool {
    // Erasing made the log longer, and copying it may free the room that the next step needs.
    defer { copyLog() }
    return try write { connection throws(StorageError) in
      try GarbageSweep.run(limit: limit, &connection)
    }
  }
}
