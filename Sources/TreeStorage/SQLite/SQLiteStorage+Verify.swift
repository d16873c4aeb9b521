package import TreeDomain

extension SQLiteStorage {
  /// Checks the file for damage: pages, indexes, and rows that contradict their checksum or each
  /// other.
  ///
  /// - Returns: The findings, a sentence each.
  /// - Throws: ``StorageError`` if the file cannot be read, or if another process writes to it
  ///   meanwhile.
  /// - Complexity: O(bytes).
  package func findDamage() throws(StorageError) -> [String] {
    let findings = try findDamageInFile()
    if let fileAsItIs, DatabaseFile(fileAsItIs).hasLog {
      throw .failed("somebody has begun to write to it; check it again")
    }
    return findings
  }

  private func findDamageInFile() throws(StorageError) -> [String] {
    try readEntries { connection throws(StorageError) in
      var findings = try connection.rows("PRAGMA integrity_check(100)") { $0.text(0) }
      if findings == ["ok"] { findings = [] }
      let arrived = connection.arrivals.members.values.joined()
      let lost = arrived.count { !$0.isWhole }
      if lost > 0 {
        findings.append("entries in `bundles` that are not as they were written: \(lost)")
      }
      let strays = try connection.rows(
        """
        SELECT count(*) FROM sessions WHERE NOT is_expired
        AND tree NOT IN (SELECT number FROM trees)
        """
      ) { $0.integer(0) }
      if let count = strays.first, count > 0 {
        findings.append("sessions that name trees that are not there: \(count)")
      }
      let sessions = try connection.rows(
        "SELECT \(SQLiteConnection.sessionColumns) FROM sessions"
      ) { try? SQLiteConnection.session($0) }
      let damaged = sessions.count { $0 == nil }
      if damaged > 0 { findings.append("sessions that are not as they were written: \(damaged)") }
      let ranges = try GarbageRange.damagedCount(&connection)
      let strayPieces = try connection.rows(
        """
        SELECT count(DISTINCT place) FROM pieces
        WHERE place NOT IN (SELECT place FROM entries)
        AND place NOT IN (SELECT first FROM garbage WHERE kind = ?)
        """,
        .integer(Garbage.pieces.rawValue)
      ) { $0.integer(0) }
      if let count = strayPieces.first, count > 0 {
        findings.append("entries whose pieces are there, but not their rows: \(count)")
      }
      if ranges > 0 {
        findings.append(
          "rows of `garbage` that are not as they were written, and left alone: \(ranges)"
        )
      }
      return findings
    }
  }
}
