internal import TreeDomain

// From a format that kept the secrets of sessions to one that keeps their digests.
extension SQLiteConnection {
  /// Puts digests in the place of secrets, in the running transaction.
  ///
  /// What was made for requests with an idempotency key is forgotten where it tells a secret, as
  /// the same answer cannot be given again.
  ///
  /// - Complexity: O(*n* log *n*) for *n* sessions.
  mutating func digestSecrets() throws(StorageError) {
    let found = try rows(
      "SELECT \(sessionColumns) FROM sessions WHERE secret IS NOT NULL"
    ) { (id: $0.bytes(0), secret: $0.bytes(7), session: try? Self.session($0)) }
    for row in found {
      guard let secret = SessionSecret(bytes: row.secret), var session = row.session else {
        // It is damaged, and stays so.
        try run("UPDATE sessions SET secret = NULL WHERE id = ?", .bytes(row.id))
        continue
      }
      let digest = SecretDigest(of: secret)
      session.digest = digest
      try run(
        "UPDATE sessions SET secret = ?, checksum = ? WHERE id = ?",
        .bytes(digest.bytes),
        .integer(session.checksum),
        .bytes(row.id)
      )
    }
    try run("DELETE FROM creations WHERE \(Self.tellsSecret)")
    // As long as it is there, secrets may stand where rows stood.
    try run("CREATE TABLE leftovers (id INTEGER PRIMARY KEY)")
  }

  /// Whether a row of `creations` tells a secret: behind the eight bytes of the fingerprint stood
  /// what was made, and 2 was a session with a secret.
  static let tellsSecret = "substr(body, 9, 1) = x'02'"

  /// Writes the file anew without what stood in it when secrets were replaced, which otherwise
  /// stays until something else comes there (sqlite.org/lang_vacuum.html), and empties the log.
  ///
  /// - Parameter announce: Told how many bytes are written, before they are.
  /// - Throws: ``StorageError``, where there is no room for it, say; nothing is lost then, and
  ///   it is tried again at the next start.
  mutating func eraseLeftovers(_ announce: @Sendable (Int) -> Void) throws(StorageError) {
    let marks = try rows("SELECT count(*) FROM sqlite_schema WHERE name = 'leftovers'") {
      $0.integer(0)
    }
    guard marks != [0] else { return }
    let bytes = try pragma("page_count") * pragma("page_size")
    announce(bytes)
    do throws(StorageError) { try run("VACUUM") } catch { throw Self.unerased(bytes, error) }
    let isHeld = try rows("PRAGMA wal_checkpoint(TRUNCATE)") { $0.boolean(0) }.contains(true)
    guard !isHeld else {
      throw .failed("somebody reads the file, from which secrets are to be erased; end that first")
    }
    try run("DROP TABLE leftovers")
  }

  /// What was to be done when the file could not be written anew, and what that takes: SQLite says
  /// only that a disk is full, and it need not be that of the file.
  private static func unerased(_ bytes: Int, _ error: StorageError) -> StorageError {
    let reason = """
      to erase secrets that an older program kept, the file is written anew, which takes \(bytes) \
      bytes beside it and as many where SQLite has temporary files (SQLITE_TMPDIR, or else \
      /var/tmp): \(error.reason)
      """
    switch error {
    case .full: return .full(reason)
    case .failed, .refused, .tooLarge: return .failed(reason)
    case .damaged: return error
    }
  }
}
