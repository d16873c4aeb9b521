internal import TreeDomain

/// The statements that make the tables.
enum PostgreSQLTables {
  /// Returns the statements that make the tables that all instances share.
  ///
  /// An instance is alive until `until`, by the clock of the database. It owns the slots that have
  /// its id. The `term` of a slot counts its acquisitions. Sessions whose ids lead to other slots
  /// than those of their trees are in `moved_sessions`.
  static func ofCluster(slots: Int) -> [String] {
    [
      "CREATE SCHEMA \(PostgreSQLSchema.base)",
      "SET LOCAL search_path = \(PostgreSQLSchema.base)",
      "CREATE TABLE meta (key text PRIMARY KEY, value bigint NOT NULL)",
      "INSERT INTO meta (key, value) VALUES ('format', \(PostgreSQLSchema.format))",
      """
      CREATE TABLE instances (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        address text NOT NULL, name text NOT NULL, until timestamptz NOT NULL,
        is_leaving boolean NOT NULL DEFAULT false) WITH (fillfactor = 50)
      """,
      """
      CREATE TABLE slots (number bigint PRIMARY KEY, owner bigint NOT NULL DEFAULT 0,
        term bigint NOT NULL DEFAULT 0) WITH (fillfactor = 50)
      """,
      "INSERT INTO slots (number) SELECT generate_series(0, \(slots - 1))",
      "CREATE TABLE moved_sessions (id bytea PRIMARY KEY, slot bigint NOT NULL)",
    ]
  }

  /// The tables of a slot.
  ///
  /// The key of an entry is `(tree_no, seq)`, so no two writers append at the same place. The
  /// `fence` of a tree is that of its last writer; the statement that appends checks it. Each
  /// writer has a row in `writers`. Every commit changes this row, and it is closed before the next
  /// writer reads. `term` is the term of the slot when it was acquired. `process` and `begun`
  /// identify the process of the database that serves the writer.
  static let ofSlot = [
    "CREATE TABLE meta (key text PRIMARY KEY, value bigint NOT NULL)",
    "INSERT INTO meta (key, value) VALUES ('fence', 0), ('last_tree', 0)",
    """
    CREATE TABLE writers (fence bigint PRIMARY KEY, term bigint NOT NULL,
      commits bigint NOT NULL, is_closed boolean NOT NULL DEFAULT false, process bigint,
      begun timestamptz) WITH (fillfactor = 10)
    """,
    """
    CREATE TABLE trees (tree_no bigint PRIMARY KEY, id bytea NOT NULL, is_private boolean NOT NULL,
      about bytea NOT NULL, checksum bigint NOT NULL, is_deleted boolean NOT NULL DEFAULT false,
      fence bigint NOT NULL)
    """,
    "CREATE UNIQUE INDEX trees_by_id ON trees (id) WHERE NOT is_deleted",
    """
    CREATE TABLE entries (tree_no bigint, seq bigint, fence bigint NOT NULL,
      revision bigint NOT NULL, nodes bigint NOT NULL, head bigint NOT NULL,
      checksum bigint NOT NULL, body bytea NOT NULL, PRIMARY KEY (tree_no, seq))
    """,
    "ALTER TABLE entries ALTER COLUMN body SET STORAGE EXTERNAL",
    """
    CREATE TABLE snapshots (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      tree_no bigint NOT NULL, entry bigint NOT NULL, parts bigint NOT NULL,
      revision bigint NOT NULL, nodes bigint NOT NULL, is_whole boolean NOT NULL DEFAULT false,
      checksum bigint NOT NULL DEFAULT 0)
    """,
    "CREATE INDEX snapshots_by_tree ON snapshots (tree_no, entry)",
    """
    CREATE TABLE parts (snapshot bigint, part bigint, checksum bigint NOT NULL,
      body bytea NOT NULL, PRIMARY KEY (snapshot, part))
    """,
    "ALTER TABLE parts ALTER COLUMN body SET STORAGE EXTERNAL",
    """
    CREATE TABLE sessions (id bytea PRIMARY KEY, tree_no bigint NOT NULL,
      is_private boolean NOT NULL, idle_timeout bigint NOT NULL, last_use bigint NOT NULL,
      is_expired boolean NOT NULL, checksum bigint NOT NULL, digest bytea,
      is_view boolean NOT NULL)
    """,
    """
    CREATE INDEX sessions_by_end ON sessions ((last_use + idle_timeout))
      WHERE idle_timeout > 0 AND NOT is_expired
    """,
    "CREATE INDEX sessions_by_past_end ON sessions ((last_use + idle_timeout)) WHERE is_expired",
    "CREATE INDEX sessions_by_tree ON sessions (tree_no)",
    """
    CREATE INDEX sessions_by_selector ON sessions (substr(digest, 1, 16))
      WHERE digest IS NOT NULL
    """,
    """
    CREATE TABLE creations (token bytea PRIMARY KEY, time bigint NOT NULL,
      checksum bigint NOT NULL, body bytea NOT NULL, number bigint GENERATED ALWAYS AS IDENTITY)
    """,
    "CREATE INDEX creations_by_time ON creations (time)",
    """
    CREATE TABLE retired (slot bigint PRIMARY KEY, revision bigint NOT NULL,
      checksum bigint NOT NULL)
    """,
    """
    CREATE TABLE clock (id bigint PRIMARY KEY, seconds bigint NOT NULL,
      wall_seconds bigint NOT NULL, checksum bigint NOT NULL)
    """,
    """
    CREATE TABLE generations (number bigint PRIMARY KEY, revision bigint NOT NULL,
      cluster bigint NOT NULL, place bigint NOT NULL, timeline bigint NOT NULL,
      checksum bigint NOT NULL)
    """,
    """
    CREATE TABLE garbage (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      kind bigint NOT NULL, owner bigint NOT NULL, last bigint NOT NULL)
    """,
    "CREATE TABLE probes (id bigint PRIMARY KEY, body bytea NOT NULL)",
    "ALTER TABLE probes ALTER COLUMN body SET STORAGE EXTERNAL",
  ]
}
