package import TreeDomain

// Sessions, creations and single values.
extension PostgreSQLStorage {
  /// A condition that is true for a session whose tree exists.
  private static let hasTree = """
    EXISTS (SELECT 1 FROM trees WHERE trees.tree_no = sessions.tree_no AND NOT is_deleted)
    """

  /// Returns a session; `nil` if it never existed or was deleted.
  package func session(_ id: SessionID) throws(StorageError) -> StoredSession? {
    try readers.read { reader throws(StorageError) in
      let found = try reader.query(
        """
        SELECT \(PostgreSQLRow.sessionColumns) FROM sessions
        WHERE id = $1::bytea AND (is_expired OR \(Self.hasTree))
        """,
        .bytes(id.bytes)
      )
      guard let row = found.rows.first else { return nil }
      return try row.session()
    }
  }

  /// Returns the live session that a secret opens, given the digest of the secret.
  package func session(openedBy digest: SecretDigest) throws(StorageError) -> StoredSession? {
    try readers.read { reader throws(StorageError) in
      let found = try reader.query(
        """
        SELECT \(PostgreSQLRow.sessionColumns) FROM sessions
        WHERE substr(digest, 1, 16) = $1::bytea AND digest IS NOT NULL AND NOT is_expired
        AND \(Self.hasTree)
        """,
        .bytes(Array(digest.bytes.prefix(16)))
      )
      for row in found.rows {
        let session = try row.session()
        if session.digest == digest { return session }
      }
      return nil
    }
  }

  /// Returns the number of sessions that have not expired.
  package func sessionCount() throws(StorageError) -> Int {
    try readers.read { reader throws(StorageError) in
      try reader.query(
        "SELECT count(*) FROM sessions WHERE NOT is_expired AND \(Self.hasTree)"
      ).integer ?? 0
    }
  }

  /// Returns sessions that expired before a time, the earliest first, from an offset on.
  package func sessions(
    expiredBefore time: Int,
    from offset: Int,
    limit: Int
  ) throws(StorageError) -> [StoredSession] {
    try readers.read { reader throws(StorageError) in
      let found = try reader.query(
        """
        SELECT \(PostgreSQLRow.sessionColumns) FROM sessions
        WHERE idle_timeout > 0 AND NOT is_expired AND last_use + idle_timeout < $1::bigint
        AND \(Self.hasTree)
        ORDER BY last_use + idle_timeout LIMIT $2::bigint OFFSET $3::bigint
        """,
        .integer(time),
        .integer(limit),
        .integer(offset)
      )
      // A damaged row is left out, so that it does not keep the others from being ended.
      return found.rows.compactMap { try? $0.session() }
    }
  }

  /// Returns sessions after a given one in the order of their ids, expired ones included.
  package func allSessions(
    after id: SessionID?,
    limit: Int
  ) throws(StorageError) -> [StoredSession] {
    try readers.read { reader throws(StorageError) in
      let found = try reader.query(
        """
        SELECT \(PostgreSQLRow.sessionColumns) FROM sessions
        WHERE id > $1::bytea AND (is_expired OR \(Self.hasTree)) ORDER BY id LIMIT $2::bigint
        """,
        .bytes(id?.bytes ?? []),
        .integer(limit)
      )
      var sessions: [StoredSession] = []
      for row in found.rows { sessions.append(try row.session()) }
      return sessions
    }
  }

  /// Returns the results of creation requests with an idempotency key, newest last.
  package func creations() throws(StorageError) -> [StoredCreation] {
    try readers.read { reader throws(StorageError) in
      let found = try reader.query(
        "SELECT token, time, body, checksum FROM creations ORDER BY number"
      )
      var creations: [StoredCreation] = []
      for row in found.rows {
        let creation = StoredCreation(
          token: row.bytes(0),
          time: row.integer(1),
          body: row.bytes(2)
        )
        guard creation.checksum == row.integer(3) else {
          throw .damaged("a row of the table `creations` is not as it was written")
        }
        creations.append(creation)
      }
      return creations
    }
  }

  /// Returns the stored reading of the clocks; `nil` if there is none.
  package func clockReading() throws(StorageError) -> ClockReading? {
    try readers.read { reader throws(StorageError) in
      let found = try reader.query("SELECT seconds, wall_seconds, checksum FROM clock")
      guard let row = found.rows.first else { return nil }
      let reading = ClockReading(seconds: row.integer(0), wallSeconds: row.integer(1))
      guard reading.checksum == row.integer(2) else {
        throw .damaged("a row of the table `clock` is not as it was written")
      }
      return reading
    }
  }

  /// Returns the last revision of each slot that has one, in any order.
  package func retiredRevisions() throws(StorageError) -> [RetiredRevision] {
    try readers.read { reader throws(StorageError) in
      let found = try reader.query("SELECT slot, revision, checksum FROM retired")
      var all: [RetiredRevision] = []
      for row in found.rows {
        let revision = Revision(UInt64(truncatingIfNeeded: row.integer(1)))
        let retired = RetiredRevision(slot: row.integer(0), revision: revision)
        guard retired.checksum == row.integer(2) else {
          throw .damaged("a row of the table `retired` is not as it was written")
        }
        all.append(retired)
      }
      return all
    }
  }

  /// Looks for damage that a reader of trees and sessions does not see.
  ///
  /// - Returns: The faults, a sentence each; empty if there are none.
  /// - Throws: ``StorageError`` if something cannot be read at all.
  package func findDamage() throws(StorageError) -> [String] {
    try readers.read { reader throws(StorageError) in
      var findings: [String] = []
      let strays = try reader.query(
        """
        SELECT count(*) FROM sessions WHERE NOT is_expired
        AND tree_no NOT IN (SELECT tree_no FROM trees)
        """
      )
      if let count = strays.integer, count > 0 {
        findings.append("sessions that name trees that are not there: \(count)")
      }
      let sessions = try reader.query("SELECT \(PostgreSQLRow.sessionColumns) FROM sessions")
      let damaged = sessions.rows.count { (try? $0.session()) == nil }
      if damaged > 0 { findings.append("sessions that are not as they were written: \(damaged)") }
      return findings
    }
  }
}
