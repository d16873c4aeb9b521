internal import TreeDomain

/// A kind of row in the table `garbage`, which lists the ranges of unused rows.
enum PostgreSQLGarbage: Int {
  /// Entries of a tree up to a number.
  case entries = 1
  /// All parts of a snapshot.
  case parts = 2
  /// The sessions of a deleted tree, except expired ones, and then the row of the tree.
  case sessions = 3

  /// The approximate number of bytes that are removed at a time.
  private static let sweptBytes = 1 << 22

  /// Returns the statements that remove some rows; none if there are no unused rows.
  ///
  /// - Throws: ``StorageError``.
  static func sweep(
    limit: Int,
    _ connection: PostgreSQLConnection
  ) throws(StorageError) -> [PostgreSQLStatement] {
    let ranges = try connection.query(
      "SELECT id, kind, owner, last FROM garbage ORDER BY id LIMIT $1::bigint",
      .integer(limit)
    )
    var statements: [PostgreSQLStatement] = []
    var (rows, bytes) = (limit, sweptBytes)
    for range in ranges.rows where rows > 0 && bytes > 0 {
      guard let kind = PostgreSQLGarbage(rawValue: range.integer(1)) else { continue }
      let (id, owner, last) = (range.integer(0), range.integer(2), range.integer(3))
      let found = try connection.query(
        kind.listing,
        .integer(owner),
        .integer(last),
        .integer(rows),
        .integer(bytes)
      )
      let (count, end) = (found.rows[0].integer(0), found.rows[0].integer(1))
      rows -= max(count, 1)
      bytes -= found.rows[0].integer(2)
      statements.append(
        PostgreSQLStatement(
          kind.removal,
          .integer(owner),
          .integer(kind == .sessions ? count : end)
        )
      )
      if kind == .sessions {
        statements.append(PostgreSQLStatement(removalOfTree, .integer(owner)))
      }
      statements.append(
        PostgreSQLStatement(kind.end, .integer(id), .integer(owner), .integer(last))
      )
    }
    return statements
  }

  /// A query for the number, last place and size of the range's first rows, up to a limit.
  private var listing: String {
    switch self {
    case .entries: Self.listing("entries", "tree_no", "seq")
    case .parts: Self.listing("parts", "snapshot", "part")
    case .sessions:
      """
      SELECT count(*), $2::bigint, 0 * $4::bigint FROM (SELECT 1 FROM sessions
      WHERE tree_no = $1::bigint AND NOT is_expired LIMIT $3::bigint) AS found
      """
    }
  }

  private static func listing(_ table: String, _ owner: String, _ place: String) -> String {
    """
    SELECT count(*), coalesce(max(place), -1), coalesce(sum(size), 0)::bigint
    FROM (SELECT place, size, sum(size) OVER (ORDER BY place) - size AS before
    FROM (SELECT \(place) AS place, octet_length(body) AS size FROM \(table)
    WHERE \(owner) = $1::bigint AND \(place) <= $2::bigint ORDER BY \(place) LIMIT $3::bigint)
    AS first) AS found WHERE before < $4::bigint
    """
  }

  /// A statement that removes rows of a range, up to a place or a number of rows.
  private var removal: String {
    switch self {
    case .entries: "DELETE FROM entries WHERE tree_no = $1::bigint AND seq <= $2::bigint"
    case .parts: "DELETE FROM parts WHERE snapshot = $1::bigint AND part <= $2::bigint"
    case .sessions:
      """
      DELETE FROM sessions WHERE id IN (SELECT id FROM sessions
      WHERE tree_no = $1::bigint AND NOT is_expired LIMIT $2::bigint)
      """
    }
  }

  private static let removalOfTree = """
    DELETE FROM trees WHERE tree_no = $1::bigint AND is_deleted AND NOT EXISTS
    (SELECT 1 FROM sessions WHERE sessions.tree_no = $1::bigint AND NOT is_expired)
    """

  /// A statement that removes a range from `garbage` once none of its rows are left.
  private var end: String {
    let rest =
      switch self {
      case .entries: "entries WHERE tree_no = $2::bigint AND seq <= $3::bigint"
      case .parts: "parts WHERE snapshot = $2::bigint AND part <= $3::bigint"
      case .sessions:
        "sessions WHERE tree_no = $2::bigint AND NOT is_expired AND $3::bigint > 0"
      }
    return "DELETE FROM garbage WHERE id = $1::bigint AND NOT EXISTS (SELECT 1 FROM \(rest))"
  }
}
