internal import TreeDomain

/// The tables of a database file, and how the file is written.
enum SQLiteSchema {
  /// The application id of the file (sqlite.org/pragma.html#pragma_application_id): "TREE".
  static let applicationID = 0x5452_4545
  /// The format of the tables.
  static let formatVersion = 1

  /// Creates the tables of a new file, and sets how the file is written.
  ///
  /// - Throws: ``StorageError`` if the file belongs to another program or has another format. The
  ///   file is unchanged then.
  static func prepare(_ connection: inout SQLiteConnection) throws(StorageError) {
    let isNew = try isNew(&connection)
    // WAL mode is stored in the file; setting it again changes nothing.
    try connection.run("PRAGMA journal_mode=WAL")
    try connection.keepForGood()
    // The log is copied between commits (`LogCopy`), and never in one.
    try connection.run("PRAGMA wal_autocheckpoint=0")
    // A longer log is truncated to this many bytes when it starts again.
    try connection.run("PRAGMA journal_size_limit=67108864")
    // Files of early builds lack this table.
    guard isNew else { return try connection.run(pieces) }
    try connection.run("BEGIN IMMEDIATE")
    for statement in statements { try connection.run(statement) }
    try connection.run("PRAGMA application_id=\(applicationID)")
    try connection.run("PRAGMA user_version=\(formatVersion)")
    try connection.run("COMMIT")
  }

  /// Returns true if the file is empty.
  ///
  /// - Throws: ``StorageError/failed(_:)`` if the file belongs to another program or has another
  ///   format.
  static func isNew(_ connection: inout SQLiteConnection) throws(StorageError) -> Bool {
    let id = try connection.pragma("application_id")
    let version = try connection.pragma("user_version")
    let tables = try connection.rows("SELECT count(*) FROM sqlite_schema") { $0.integer(0) }
    if id == 0, version == 0, tables == [0] { return true }
    guard id == applicationID else {
      throw .failed("it is a database of another program; give --data another folder")
    }
    guard version == formatVersion else {
      throw .failed(
        """
        it has format \(version), and this program reads format \(formatVersion); use the \
        program that wrote it
        """
      )
    }
    return false
  }

  /// The tables that are small, and in which a missing row would not be noticed otherwise.
  private static let smallTables = [
    "trees", "snapshots", "sessions", "creations", "retired", "clock", "bundles", "generations",
    "markers",
  ]

  /// Checks the pages of the small tables.
  ///
  /// The large tables are left out, because their rows are numbered and have checksums.
  ///
  /// - Throws: ``StorageError/damaged(_:)``.
  /// - Complexity: O(*n* log *n*) for *n* trees and sessions.
  static func checkNames(_ connection: inout SQLiteConnection) throws(StorageError) {
    for table in smallTables {
      let findings = try connection.rows("PRAGMA integrity_check(\(table))") { $0.text(0) }
      guard let finding = findings.first, finding != "ok" else { continue }
      throw .damaged("the table `\(table)` is not as it was written (\(finding))")
    }
  }

  private static let pieces = """
    CREATE TABLE IF NOT EXISTS pieces (place INTEGER, piece INTEGER, body BLOB NOT NULL,
      PRIMARY KEY (place, piece)) WITHOUT ROWID
    """

  /// The statements that create the tables.
  ///
  /// The number of an entry's row is the tree's number times 2³⁶ plus the entry's. That of a part
  /// is the snapshot's id times 2²⁰ plus the part's index. So each table is one B-tree in which
  /// related rows are adjacent.
  ///
  /// - `entries`: A row with heads is a bundle of one tree, and its other columns are those of the
  ///   last entry.
  /// - `pieces`: The rest of each long body, so that writing and removing an entry take many short
  ///   commits.
  /// - `bundles`: Short entries of all trees, in commit order.
  /// - `sessions_by_selector` has only the first half of a digest. An index stops at the first
  ///   different byte, so its timing would reveal the rest.
  /// - `creations`: `number` gives the commit order, as times in seconds may be equal.
  /// - `clock` has one row, `markers` two, or none before the first start.
  /// - `garbage` has ranges of row numbers that can be removed.
  /// - `journal` shows each entry as a row, for people who look with `sqlite3`.
  private static let statements = [
    pieces,
    """
    CREATE TABLE trees (number INTEGER PRIMARY KEY AUTOINCREMENT, id BLOB NOT NULL,
      is_private INTEGER NOT NULL, about BLOB NOT NULL, checksum INTEGER NOT NULL,
      is_deleted INTEGER NOT NULL DEFAULT 0)
    """,
    "CREATE UNIQUE INDEX trees_by_id ON trees (id) WHERE is_deleted = 0",
    """
    CREATE TABLE entries (place INTEGER PRIMARY KEY, revision INTEGER NOT NULL,
      nodes INTEGER NOT NULL, head INTEGER NOT NULL, checksum INTEGER NOT NULL,
      body BLOB NOT NULL, heads BLOB)
    """,
    """
    CREATE TABLE bundles (id INTEGER PRIMARY KEY, places BLOB NOT NULL, checksum INTEGER NOT NULL,
      heads BLOB NOT NULL, body BLOB NOT NULL)
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
      is_expired INTEGER NOT NULL, checksum INTEGER NOT NULL, digest BLOB,
      is_view INTEGER NOT NULL DEFAULT 0, ends INTEGER AS
      (CASE WHEN idle_timeout > 0 AND NOT is_expired THEN last_use + idle_timeout END))
      WITHOUT ROWID
    """,
    "CREATE INDEX sessions_by_end ON sessions (ends) WHERE ends IS NOT NULL",
    "CREATE INDEX sessions_by_past_end ON sessions (last_use + idle_timeout) WHERE is_expired",
    "CREATE INDEX sessions_by_tree ON sessions (tree)",
    """
    CREATE INDEX sessions_by_selector ON sessions (substr(digest, 1, 16))
      WHERE digest IS NOT NULL
    """,
    """
    CREATE TABLE creations (token BLOB PRIMARY KEY, time INTEGER NOT NULL,
      checksum INTEGER NOT NULL, body BLOB NOT NULL, number INTEGER NOT NULL DEFAULT 0)
      WITHOUT ROWID
    """,
    "CREATE INDEX creations_by_time ON creations (time)",
    "CREATE INDEX creations_by_number ON creations (number, time)",
    """
    CREATE TABLE retired (slot INTEGER PRIMARY KEY, revision INTEGER NOT NULL,
      checksum INTEGER NOT NULL)
    """,
    """
    CREATE TABLE clock (id INTEGER PRIMARY KEY, seconds INTEGER NOT NULL,
      wall_seconds INTEGER NOT NULL, checksum INTEGER NOT NULL)
    """,
    """
    CREATE TABLE generations (number INTEGER PRIMARY KEY, revision INTEGER NOT NULL,
      token INTEGER NOT NULL, file INTEGER NOT NULL, made_seconds INTEGER NOT NULL,
      made_nanoseconds INTEGER NOT NULL, checksum INTEGER NOT NULL)
    """,
    """
    CREATE TABLE markers (slot INTEGER PRIMARY KEY, nonce INTEGER NOT NULL,
      file INTEGER NOT NULL, made_seconds INTEGER NOT NULL,
      made_nanoseconds INTEGER NOT NULL, checksum INTEGER NOT NULL)
    """,
    """
    CREATE TABLE garbage (id INTEGER PRIMARY KEY, kind INTEGER NOT NULL, first INTEGER NOT NULL,
      last INTEGER NOT NULL)
    """,
    """
    CREATE VIEW journal (tree, number, revision, nodes, body) AS
      SELECT place >> 36, place & \(RowNumber.lastEntry), revision, nodes,
          CASE WHEN length(body) < \(LongEntries.pieceBytes) THEN body ELSE
            CAST(body || ifnull((SELECT group_concat(body, '') FROM (SELECT body FROM pieces
              WHERE pieces.place = entries.place ORDER BY piece)), '') AS BLOB) END
        FROM entries WHERE heads IS NULL
      UNION ALL SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'),
          json_extract(value, '$[2]'), json_extract(value, '$[3]'),
          substr(body, json_extract(value, '$[5]') + 1, json_extract(value, '$[6]'))
        FROM (SELECT heads, body FROM entries WHERE heads IS NOT NULL
          UNION ALL SELECT heads, body FROM bundles), json_each(CAST(heads AS TEXT))
    """,
  ]
}
