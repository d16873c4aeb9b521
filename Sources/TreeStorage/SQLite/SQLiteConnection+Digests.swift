internal import TreeDomain

// Migration from formats that stored the secrets of sessions to format 5, which stores their
// digests.
extension SQLiteConnection {
  /// Replaces secrets with digests, in the running transaction.
  ///
  /// Stored results of creation requests that contain a secret are deleted, because the same answer
  /// cannot be given again.
  ///
  /// - Complexity: O(*n* log *n*) for *n* sessions.
  mutating func digestSecrets() throws(StorageError) {
    let found = try rows(
      "SELECT \(sessionColumns) FROM sessions WHERE secret IS NOT NULL"
    ) { (id: $0.bytes(0), secret: $0.bytes(7), session: try? Self.session($0)) }
    for row in found {
      guard let secret = SessionSecret(bytes: row.secret), var session = row.session else {
        // The row is damaged, and stays so.
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
    // While this table exists, deleted secrets may still be in unused parts of the file.
    try run("CREATE TABLE leftovers (id INTEGER PRIMARY KEY)")
  }

  /// The SQL condition for a row of `creations` with a secret.
  ///
  /// A body starts with eight bytes of the request's fingerprint; then 2 stands for a session with
  /// a secret.
  static let tellsSecret = "substr(body, 9, 1) = x'02'"

  /// Rewrites the file to erase deleted secrets, and truncates the log.
  ///
  /// Otherwise deleted content stays in the file until it is overwritten
  /// (sqlite.org/lang_vacuum.html).
  ///
  /// - Parameter announce: Called before the rewrite, with the size of the file in bytes.
  /// - Throws: ``StorageError``, for example if there is not enough room. Nothing is lost, and the
  ///   next start tries again.
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

  /// Returns an error that says what failed and how much room it needs.
  ///
  /// SQLite says only that a disk is full, which may be that of its temporary files.
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
