internal import TreeDomain

extension SQLiteConnection {
  /// "TREE": says whose file it is.
  static let applicationID = 0x5452_4545
  /// The format this program writes, and the newest that it reads.
  static let formatVersion = formats.count
  /// The first format in which sessions have secrets.
  static let formatOfSecrets = 2
  /// The first in which entries of many trees may stand in the order they came, a row each.
  static let formatOfArrivals = 3
  /// The first that knows the last revisions of deleted trees.
  static let formatOfRetired = 4
  /// The first in which the digests of secrets are kept, and not the secrets.
  static let formatOfDigests = 5
  /// The first that knows what the clocks showed.
  static let formatOfClock = 6
  /// The first in which several entries may stand in one row.
  static let formatOfBundles = 7
  /// The first in which creations have numbers.
  static let formatOfNumbers = 9
  /// The first that knows its generations.
  static let formatOfGenerations = 11
  /// The first format in which sessions have an access.
  static let formatOfAccess = 12

  /// Makes the tables, or finds them as they are to be; what an older format lacks is added.
  ///
  /// - Parameter announce: Told how many bytes a file has that is written anew, before it is.
  /// - Throws: ``StorageError`` where it is somebody else's file or a newer one, which is left as
  ///   it is.
  mutating func settle(_ announce: @Sendable (Int) -> Void) throws(StorageError) {
    // The mode is the file's; to ask for it where it is set changes nothing.
    _ = try isNew()
    try run("PRAGMA journal_mode=WAL")
    try keepForGood()
    // The log is copied between commits (`LogCopy`), and never in one.
    try run("PRAGMA wal_autocheckpoint=0")
    // The room that a log once needed is not kept for ever.
    try run("PRAGMA journal_size_limit=67108864")
    if format < Self.formatVersion { try migrate() }
    try eraseLeftovers(announce)
  }

  /// Has what this connection writes wait for the disk.
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

  /// Whether there is nothing in the file yet.
  ///
  /// - Throws: ``StorageError`` where it is somebody else's file, or a newer one.
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

  /// The value of a number that the file keeps about itself.
  mutating func pragma(_ name: String) throws(StorageError) -> Int {
    try rows("PRAGMA \(name)") { $0.integer(0) }.first ?? 0
  }

  /// Makes sure that the tables of names are as they were written: a row that is missing there
  /// would be missed by nobody.
  ///
  /// The large ones are left out: what is in them is numbered and has checksums.
  ///
  /// - Throws: ``StorageError/damaged(_:)``.
  /// - Complexity: O(*n* log *n*) for *n* trees and sessions.
  mutating func checkNames() throws(StorageError) {
    let retired = format < Self.formatOfRetired ? [] : ["retired"]
    let clock = format < Self.formatOfClock ? [] : ["clock"]
    let bundles = format < Self.formatOfBundles ? [] : ["bundles"]
    let generations = format < Self.formatOfGenerations ? [] : ["generations"]
    let later = retired + clock + bundles + generations
    for table in ["trees", "snapshots", "sessions", "creations"] + later {
      let findings = try rows("PRAGMA integrity_check(\(table))") { $0.text(0) }
      guard let finding = findings.first, finding != "ok" else { continue }
      throw .damaged("the table `\(table)` is not as it was written (\(finding))")
    }
  }

  /// What each format added to the one before it.
  private static let formats = [
    schema, secrets, arrivals, retired, digests, clock, bundles, refusals, numbers, endings,
    generations, access,
  ]

  /// In rows of `creations`, which an older program takes for damage.
  private static let refusals: [String] = []

  /// There, too: that something ended.
  private static let endings: [String] = []

  /// The access of each session.
  private static let access = [
    "ALTER TABLE sessions ADD COLUMN is_view INTEGER NOT NULL DEFAULT 0"
  ]

  /// Of rows of `creations`, in the order they came, as of a second there may be many.
  private static let numbers = [
    "ALTER TABLE creations ADD COLUMN number INTEGER NOT NULL DEFAULT 0",
    "CREATE INDEX creations_by_number ON creations (number, time)",
  ]

  /// What the clocks showed, in one row.
  private static let clock = [
    """
    CREATE TABLE clock (id INTEGER PRIMARY KEY, seconds INTEGER NOT NULL,
      wall_seconds INTEGER NOT NULL, checksum INTEGER NOT NULL)
    """
  ]

  /// The last revisions of deleted trees.
  private static let retired = [
    """
    CREATE TABLE retired (slot INTEGER PRIMARY KEY, revision INTEGER NOT NULL,
      checksum INTEGER NOT NULL)
    """
  ]

  /// What opens a session, looked up by its first half: an index compares what it is asked for with
  /// what it has, and stops where they differ.
  private static let secrets = [
    "ALTER TABLE sessions ADD COLUMN secret BLOB",
    """
    CREATE INDEX sessions_by_selector ON sessions (substr(secret, 1, 16))
      WHERE secret IS NOT NULL
    """,
  ]

  /// The same, but for what it is.
  private static let digests = ["ALTER TABLE sessions RENAME COLUMN secret TO digest"]

  /// The tables of the first format.
  ///
  /// An entry's place is its tree's number times 2³⁶ and its own, a part's its snapshot's times 2²⁰
  /// and its own: one B-tree each, in which what belongs together stands together. What is to be
  /// swept stands in `garbage`, as ranges of places.
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
