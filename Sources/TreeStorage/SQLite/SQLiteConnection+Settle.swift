internal import TreeDomain

extension SQLiteConnection {
  /// The application id of the file (sqlite.org/pragma.html#pragma_application_id): "TREE".
  static let applicationID = 0x5452_4545
  /// The format that this program writes, and the newest that it can read.
  static let formatVersion = formats.count
  /// The first format with secrets of sessions.
  static let formatOfSecrets = 2
  /// The first format in which entries may be stored in commit order, one in a row.
  static let formatOfArrivals = 3
  /// The first format with the last revisions of deleted trees.
  static let formatOfRetired = 4
  /// The first format with digests instead of secrets.
  static let formatOfDigests = 5
  /// The first format with the reading of the clocks.
  static let formatOfClock = 6
  /// The first format with several entries in one row.
  static let formatOfBundles = 7
  /// The first format in which creations have numbers.
  static let formatOfNumbers = 9
  /// The first format with generations.
  static let formatOfGenerations = 11
  /// The first format in which sessions have an access.
  static let formatOfAccess = 12
  /// The first format with the identities of markers.
  static let formatOfMarkers = 13

  /// Creates the tables, or migrates those of an older format.
  ///
  /// - Parameter announce: Called before a file is rewritten, with its size in bytes.
  /// - Throws: ``StorageError`` if the file belongs to another program or has a newer format. The
  ///   file is unchanged then.
  mutating func settle(_ announce: @Sendable (Int) -> Void) throws(StorageError) {
    // WAL mode is stored in the file; setting it again changes nothing.
    _ = try isNew()
    try run("PRAGMA journal_mode=WAL")
    try keepForGood()
    // The log is copied between commits (`LogCopy`), and never in one.
    try run("PRAGMA wal_autocheckpoint=0")
    // A longer log is truncated to this many bytes when it starts again.
    try run("PRAGMA journal_size_limit=67108864")
    if format < Self.formatVersion { try migrate() }
    try eraseLeftovers(announce)
  }

  /// Makes commits of this connection wait until they are on disk.
  mutating func keepForGood() throws(StorageError) { try run("PRAGMA synchronous=FULL") }

  private mutating func migrate() throws(StorageError) {
    try run("BEGIN IMMEDIATE")
    if Self.formatOfSecrets..<Self.formatOfDigests ~= format { try digestSecrets() }
    for statement in Self.formats[format...].joined() { try run(statement) }
    try run("PRAGMA application_id=\(Self.applicationID)")
    try run("PRAGMA user_version=\(Self.formatVersion)")
    try run("COMMIT")
    format = Self.formatVersion
  }

  /// Returns true if the file is empty.
  ///
  /// Sets ``format``.
  ///
  /// - Throws: ``StorageError/failed(_:)`` if the file belongs to another program or has a newer
  ///   format.
  mutating func isNew() throws(StorageError) -> Bool {
    let id = try pragma("application_id")
    let version = try pragma("user_version")
    let tables = try rows("SELECT count(*) FROM sqlite_schema") { $0.integer(0) }.first ?? 0
    format = version
    if id == 0, version == 0, tables == 0 { return true }
    guard id == Self.applicationID else {
      throw .failed("it is a database of another program; give --data another folder")
    }
    guard version <= Self.formatVersion else {
      throw .failed(
        """
        it has format \(version), and this program reads up to \(Self.formatVersion); \
        use the newer program that wrote it
        """
      )
    }
    return false
  }

  /// Returns the value of a pragma that is a number.
  mutating func pragma(_ name: String) throws(StorageError) -> Int {
    try rows("PRAGMA \(name)") { $0.integer(0) }.first ?? 0
  }

  /// Checks the pages of the small tables, in which a missing row would not be noticed.
  ///
  /// The large tables are left out, because their rows are numbered and have checksums.
  ///
  /// - Throws: ``StorageError/damaged(_:)``.
  /// - Complexity: O(*n* log *n*) for *n* trees and sessions.
  mutating func checkNames() throws(StorageError) {
    let retired = format < Self.formatOfRetired ? [] : ["retired"]
    let clock = format < Self.formatOfClock ? [] : ["clock"]
    let bundles = format < Self.formatOfBundles ? [] : ["bundles"]
    let generations = format < Self.formatOfGenerations ? [] : ["generations"]
    let markers = format < Self.formatOfMarkers ? [] : ["markers"]
    let later = retired + clock + bundles + generations + markers
    for table in ["trees", "snapshots", "sessions", "creations"] + later {
      let findings = try rows("PRAGMA integrity_check(\(table))") { $0.text(0) }
      guard let finding = findings.first, finding != "ok" else { continue }
      throw .damaged("the table `\(table)` is not as it was written (\(finding))")
    }
  }

  /// The statements that lead from each format to the next.
  private static let formats = [
    schema, secrets, arrivals, retired, digests, clock, bundles, refusals, numbers, endings,
    generations, access, markers,
  ]

  /// Format 8: `creations` may contain refusals, which an older program would take for damage.
  private static let refusals: [String] = []

  /// Format 10: `creations` may say that something ended.
  private static let endings: [String] = []

  /// Format 12: the access of each session.
  private static let access = [
    "ALTER TABLE sessions ADD COLUMN is_view INTEGER NOT NULL DEFAULT 0"
  ]

  /// Format 9: numbers of creations, in commit order.
  ///
  /// Times are in seconds, so they may be equal.
  private static let numbers = [
    "ALTER TABLE creations ADD COLUMN number INTEGER NOT NULL DEFAULT 0",
    "CREATE INDEX creations_by_number ON creations (number, time)",
  ]

  /// Format 6: the reading of the clocks, in one row.
  private static let clock = [
    """
    CREATE TABLE clock (id INTEGER PRIMARY KEY, seconds INTEGER NOT NULL,
      wall_seconds INTEGER NOT NULL, checksum INTEGER NOT NULL)
    """
  ]

  /// Format 4: the last revisions of deleted trees.
  private static let retired = [
    """
    CREATE TABLE retired (slot INTEGER PRIMARY KEY, revision INTEGER NOT NULL,
      checksum INTEGER NOT NULL)
    """
  ]

  /// Format 2: the secrets of sessions.
  ///
  /// The index has only the first half. An index compares byte by byte and stops at a difference,
  /// so its timing would reveal the rest of a secret.
  private static let secrets = [
    "ALTER TABLE sessions ADD COLUMN secret BLOB",
    """
    CREATE INDEX sessions_by_selector ON sessions (substr(secret, 1, 16))
      WHERE secret IS NOT NULL
    """,
  ]

  /// Format 5: digests instead of secrets.
  private static let digests = ["ALTER TABLE sessions RENAME COLUMN secret TO digest"]

  /// Format 1.
  ///
  /// The number of an entry's row is the tree's number times 2³⁶ plus the entry's. That of a part
  /// is the snapshot's id times 2²⁰ plus the part's index. So each table is one B-tree in which
  /// related rows are adjacent. `garbage` has ranges of row numbers that can be removed.
  private static let schema = [
    """
    CREATE TABLE trees (number INTEGER PRIMARY KEY AUTOINCREMENT, id BLOB NOT NULL,
      is_private INTEGER NOT NULL, about BLOB NOT NULL, checksum INTEGER NOT NULL,
      is_deleted INTEGER NOT NULL DEFAULT 0)
    """,
    "CREATE UNIQUE INDEX trees_by_id ON trees (id) WHERE is_deleted = 0",
    """
    CREATE TABLE entries (place INTEGER PRIMARY KEY, revision INTEGER NOT NULL,
      nodes INTEGER NOT NULL, head INTEGER NOT NULL, checksum INTEGER NOT NULL,
      body BLOB NOT NULL)
    """,
    """
    CREATE TABLE snapshots (id INTEGER PRIMARY KEY AUTOINCREMENT, tree INTEGER NOT NULL,
      entry INTEGER NOT NULL, parts INTEGER NOT NULL, revision INTEGER NOT NULL,
      nodes INTEGER NOT NULL, is_whole INTEGER NOT NULL DEFAULT 0,
      checksum INTEGER NOT NULL DEFAULT 0)
    """,
    "CREATE INDEX snapshots_by_tree ON snapshots (tree, entry)",
    """
    CREATE TABLE parts (place INTEGER PRIMARY KEY, checksum INTEGER NOT NULL, body BLOB NOT NULL)
    """,
    """
    CREATE TABLE sessions (id BLOB PRIMARY KEY, tree INTEGER NOT NULL,
      is_private INTEGER NOT NULL, idle_timeout INTEGER NOT NULL, last_use INTEGER NOT NULL,
      is_expired INTEGER NOT NULL, checksum INTEGER NOT NULL, ends INTEGER AS
      (CASE WHEN idle_timeout > 0 AND NOT is_expired THEN last_use + idle_timeout END))
      WITHOUT ROWID
    """,
    "CREATE INDEX sessions_by_end ON sessions (ends) WHERE ends IS NOT NULL",
    "CREATE INDEX sessions_by_past_end ON sessions (last_use + idle_timeout) WHERE is_expired",
    "CREATE INDEX sessions_by_tree ON sessions (tree)",
    """
    CREATE TABLE creations (token BLOB PRIMARY KEY, time INTEGER NOT NULL,
      checksum INTEGER NOT NULL, body BLOB NOT NULL) WITHOUT ROWID
    """,
    "CREATE INDEX creations_by_time ON creations (time)",
    """
    CREATE TABLE garbage (id INTEGER PRIMARY KEY, kind INTEGER NOT NULL, first INTEGER NOT NULL,
      last INTEGER NOT NULL)
    """,
  ]
}
