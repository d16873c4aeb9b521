public import TreeDomain

// What was committed.
extension SQLiteStorage {
  /// Lists the shared trees, by their ids, those with damaged entries as well.
  public func sharedTrees() throws(StorageError) -> [StoredTree] {
    try readEntries { connection throws(StorageError) in
      let numbers = try connection.rows(
        "SELECT number FROM trees WHERE is_deleted = 0 AND is_private = 0 ORDER BY id"
      ) { TreeNumber($0.integer(0)) }
      var trees: [StoredTree] = []
      for number in numbers {
        do throws(StorageError) {
          if let tree = try connection.tree(number) { trees.append(tree) }
        } catch .damaged {
          // It is refused to those who ask for it, and the others are served.
          guard var tree = try connection.treeAlone(number) else { continue }
          tree.isDamaged = true
          trees.append(tree)
        }
      }
      return trees
    }
  }

  /// The numbers of trees behind one, so many at most, in order.
  public func trees(after number: TreeNumber, limit: Int) throws(StorageError) -> [TreeNumber] {
    try read { connection throws(StorageError) in
      try connection.rows(
        "SELECT number FROM trees WHERE is_deleted = 0 AND number > ? ORDER BY number LIMIT ?",
        .integer(number.value),
        .integer(limit)
      ) { TreeNumber($0.integer(0)) }
    }
  }

  /// A tree by its number; `nil` where it was deleted.
  public func tree(_ number: TreeNumber) throws(StorageError) -> StoredTree? {
    try readEntries { connection throws(StorageError) in try connection.tree(number) }
  }

  /// A number above those of all trees there ever were.
  public func nextTreeNumber() throws(StorageError) -> TreeNumber {
    try read { connection throws(StorageError) in
      // What SQLite notes of the last number has no checksum: no less than those there are.
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

  /// What the clocks showed when that was last kept.
  public func clockReading() throws(StorageError) -> ClockReading? {
    try read { connection throws(StorageError) in
      guard connection.format >= SQLiteConnection.formatOfClock else { return nil }
      return try connection.rows("SELECT seconds, wall_seconds, checksum FROM clock") {
        row throws(StorageError) in
        let reading = ClockReading(seconds: row.integer(0), wallSeconds: row.integer(1))
        guard reading.checksum == row.integer(2) else {
          throw .damaged("a row of the table `clock` is not as it was written")
        }
        return reading
      }.first
    }
  }

  /// The last revision of each slot that has one, in any order.
  public func retiredRevisions() throws(StorageError) -> [RetiredRevision] {
    try read { connection throws(StorageError) in
      guard connection.format >= SQLiteConnection.formatOfRetired else { return [] }
      return try connection.rows("SELECT slot, revision, checksum FROM retired") {
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

  /// Entries of a tree behind one, in order.
  public func entries(
    of tree: TreeNumber,
    after number: Int,
    bytes: Int
  ) throws(StorageError) -> [StoredEntry] {
    try readEntries { connection throws(StorageError) in
      try connection.entries(of: tree, after: number, bytes: bytes)
    }
  }

  /// The snapshot of a tree; `nil` where there is none.
  public func snapshot(of tree: TreeNumber) throws(StorageError) -> StoredSnapshot? {
    try read { connection throws(StorageError) in try connection.snapshot(of: tree) }
  }

  /// A part of a snapshot, counted from 0.
  public func part(
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

  /// A session; `nil` where there never was one, or it was deleted.
  public func session(_ id: SessionID) throws(StorageError) -> StoredSession? {
    try read { connection throws(StorageError) in
      try connection.rows(
        """
        SELECT \(connection.sessionColumns) FROM sessions
        WHERE id = ? AND (is_expired OR EXISTS
        (SELECT 1 FROM trees WHERE number = sessions.tree AND is_deleted = 0))
        """,
        .bytes(id.bytes),
        read: SQLiteConnection.session
      ).first
    }
  }

  /// The session that the secret of a digest opens, if it has not expired.
  public func session(openedBy digest: SecretDigest) throws(StorageError) -> StoredSession? {
    try read { connection throws(StorageError) in
      try connection.rows(
        """
        SELECT \(connection.sessionColumns) FROM sessions
        WHERE substr(digest, 1, 16) = ? AND digest IS NOT NULL AND NOT is_expired AND EXISTS
        (SELECT 1 FROM trees WHERE number = sessions.tree AND is_deleted = 0)
        """,
        .bytes(Array(digest.bytes.prefix(16))),
        read: SQLiteConnection.session
      ).first { $0.digest == digest }
    }
  }

  /// How many sessions there are that have not expired.
  public func sessionCount() throws(StorageError) -> Int {
    try read { connection throws(StorageError) in
      try connection.rows(
        """
        SELECT count(*) FROM sessions WHERE NOT is_expired AND EXISTS
        (SELECT 1 FROM trees WHERE number = sessions.tree AND is_deleted = 0)
        """
      ) { $0.integer(0) }.first ?? 0
    }
  }

  /// Some sessions whose time was over before a moment, the earliest first, behind so many.
  public func sessions(
    expiredBefore time: Int,
    from offset: Int,
    limit: Int
  ) throws(StorageError) -> [StoredSession] {
    try read { connection throws(StorageError) in
      // A row that is damaged is left out: the others are over all the same.
      try connection.rows(
        """
        SELECT \(connection.sessionColumns) FROM sessions
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

  /// Returns sessions after one in the order of their ids, those that expired as well.
  public func allSessions(
    after id: SessionID?,
    limit: Int
  ) throws(StorageError) -> [StoredSession] {
    try read { connection throws(StorageError) in
      try connection.rows(
        """
        SELECT \(connection.sessionColumns) FROM sessions
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

  /// What was made for requests with an idempotency key, newest last.
  public func creations() throws(StorageError) -> [StoredCreation] {
    try read { connection throws(StorageError) in
      let isKept =
        connection.format < SQLiteConnection.formatOfDigests
        ? "NOT \(SQLiteConnection.tellsSecret)" : "1"
      let order = connection.format < SQLiteConnection.formatOfNumbers ? "time" : "number, time"
      return try connection.rows(
        """
        SELECT token, time, body, checksum FROM creations WHERE \(isKept) ORDER BY \(order)
        """
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

  /// Removes some of what nothing refers to any more.
  public func sweep(limit: Int) throws(StorageError) -> Bool {
    // What was erased before may be all that keeps more from being.
    defer { copyLog() }
    return try write { connection throws(StorageError) in try connection.sweep(limit: limit) }
  }
}
