internal import TreeDomain

/// The statements of a commit, made of its changes.
///
/// All entries of a commit are added by a few statements of many rows each. Changes of a session or
/// a tree write whole rows, because the checksum covers the row, so the rows are read before. This
/// is safe: if another writer has taken over, the commit fails.
struct PostgreSQLChanges {
  /// The number of the writer, which is stored with each entry and tree.
  let fence: Int
  var statements: [PostgreSQLStatement] = []
  /// The trees that have this fence when the statements are done.
  private(set) var acquired: Set<Int>
  /// The sessions that the changes name, in their state after the changes so far.
  var sessions: [SessionID: StoredSession] = [:]
  private var trees: [Int: StoredTree] = [:]
  private var entries = PostgreSQLEntries()
  /// The time before which creations were removed, and the earliest one kept since.
  var (forgotten, earliest) = (Int.min, Int.max)

  /// Begins a commit.
  ///
  /// - Parameters:
  ///   - changes: All its changes, to read the rows that they need.
  ///   - fence: The number of the writer.
  ///   - acquired: The trees that have this fence already.
  ///   - connection: A connection outside of a transaction.
  /// - Throws: ``StorageError`` if a row cannot be read.
  init(
    _ changes: [StorageChange],
    fence: Int,
    acquired: Set<Int>,
    _ connection: PostgreSQLConnection
  ) throws(StorageError) {
    self.fence = fence
    self.acquired = acquired
    var (ids, numbers): ([[UInt8]], [Int]) = ([], [])
    for change in changes {
      switch change {
      case .renewSession(let id, _, _), .removeSession(let id, expired: true): ids.append(id.bytes)
      case .describeTree(let tree, _): numbers.append(tree.value)
      default: continue
      }
    }
    if !ids.isEmpty {
      let found = try connection.query(
        "SELECT \(PostgreSQLRow.sessionColumns) FROM sessions WHERE id = ANY($1::bytea[])",
        .byteStrings(ids)
      )
      for row in found.rows {
        let session = try row.session()
        sessions[session.id] = session
      }
    }
    if !numbers.isEmpty {
      let found = try connection.query(
        """
        SELECT \(PostgreSQLRow.treeColumns) FROM trees
        WHERE tree_no = ANY($1::bigint[]) AND NOT is_deleted
        """,
        .integers(numbers)
      )
      for row in found.rows { trees[row.integer(0)] = try row.tree() }
    }
    for change in changes { make(change) }
    writeEntries()
  }

  /// Adds a statement.
  mutating func add(_ sql: String, _ values: PostgreSQLValue...) {
    statements.append(PostgreSQLStatement(sql, values: values))
  }

  private mutating func make(_ change: StorageChange) {
    switch change {
    case .makeTree(let tree): insert(tree)
    case .describeTree(let number, let about): describe(number.value, about)
    case .deleteTree(let number):
      writeEntries()
      delete(number.value)
    case .retire(let revision): retire(revision)
    case .append(let entry, let tree): append(entry, to: tree)
    case .addPart(let bytes, let index, let snapshot): addPart(bytes, index, of: snapshot)
    case .finishSnapshot(let snapshot):
      writeEntries()
      finish(snapshot)
    case .makeSession(let session):
      sessions[session.id] = session
      write(session)
    case .renewSession(let id, let lastUse, let seconds):
      guard var session = sessions[id] else { return }
      session.lastUse = lastUse
      if let seconds { session.idleTimeoutSeconds = seconds }
      update(session)
    case .removeSession(let id, true): expire(id)
    case .removeSession(let id, false):
      sessions[id] = nil
      add("DELETE FROM sessions WHERE id = $1::bytea", .bytes(id.bytes))
    case .keepCreation(let creation): keep(creation)
    case .setClock(let reading): set(reading)
    }
  }

  // MARK: Trees

  private mutating func insert(_ tree: StoredTree) {
    trees[tree.number.value] = tree
    acquired.insert(tree.number.value)
    add(
      """
      INSERT INTO trees (tree_no, id, is_private, about, checksum, fence)
      VALUES ($1::bigint, $2::bytea, $3::boolean, $4::bytea, $5::bigint, $6::bigint)
      """,
      .integer(tree.number.value),
      .bytes(tree.id.bytes),
      .boolean(tree.isPrivate),
      .bytes(tree.about),
      .integer(tree.checksum),
      .integer(fence)
    )
    add(
      "UPDATE meta SET value = $1::bigint WHERE key = 'last_tree' AND value < $1::bigint",
      .integer(tree.number.value)
    )
  }

  private mutating func describe(_ number: Int, _ about: [UInt8]) {
    guard var tree = trees[number] else { return }
    tree.about = about
    trees[number] = tree
    add(
      """
      UPDATE trees SET about = $2::bytea, checksum = $3::bigint
      WHERE tree_no = $1::bigint AND NOT is_deleted
      """,
      .integer(number),
      .bytes(about),
      .integer(tree.checksum)
    )
  }

  private mutating func delete(_ number: Int) {
    trees[number] = nil
    acquired.remove(number)
    add("UPDATE trees SET is_deleted = true WHERE tree_no = $1::bigint", .integer(number))
    discard(.entries, number, through: .max)
    discard(.sessions, number, through: .max)
    add(
      """
      WITH gone AS (DELETE FROM snapshots WHERE tree_no = $1::bigint RETURNING id)
      INSERT INTO garbage (kind, owner, last) SELECT $2::bigint, id, $3::bigint FROM gone
      """,
      .integer(number),
      .integer(PostgreSQLGarbage.parts.rawValue),
      .integer(.max)
    )
  }

  private mutating func discard(_ kind: PostgreSQLGarbage, _ owner: Int, through last: Int) {
    add(
      "INSERT INTO garbage (kind, owner, last) VALUES ($1::bigint, $2::bigint, $3::bigint)",
      .integer(kind.rawValue),
      .integer(owner),
      .integer(last)
    )
  }

  private mutating func retire(_ retired: RetiredRevision) {
    add(
      """
      INSERT INTO retired (slot, revision, checksum) VALUES ($1::bigint, $2::bigint, $3::bigint)
      ON CONFLICT (slot) DO UPDATE
      SET revision = excluded.revision, checksum = excluded.checksum
      WHERE excluded.revision > retired.revision
      """,
      .integer(retired.slot),
      .integer(Int(retired.revision.number)),
      .integer(retired.checksum)
    )
  }

  // MARK: Entries

  private mutating func append(_ entry: StoredEntry, to tree: TreeNumber) {
    if !entries.hasRoom(for: entry) { writeEntries() }
    entries.add(entry, of: tree)
  }

  /// Adds the statements that append the entries so far.
  private mutating func writeEntries() {
    guard !entries.isEmpty else { return }
    let unacquired = entries.trees.subtracting(acquired)
    if !unacquired.isEmpty {
      add(
        """
        UPDATE trees SET fence = $1::bigint
        WHERE tree_no = ANY($2::bigint[]) AND fence < $1::bigint AND NOT is_deleted
        """,
        .integer(fence),
        .integers(unacquired.sorted())
      )
      acquired.formUnion(unacquired)
    }
    statements.append(entries.statement(fence: fence))
    entries = PostgreSQLEntries()
  }

  // MARK: Snapshots

  private mutating func addPart(_ bytes: [UInt8], _ index: Int, of snapshot: StoredSnapshot) {
    if index == 0 {
      add(
        """
        INSERT INTO snapshots (tree_no, entry, parts, revision, nodes)
        SELECT tree_no, $2::bigint, 0, $3::bigint, $4::bigint FROM trees
        WHERE tree_no = $1::bigint AND NOT is_deleted
        """,
        .integer(snapshot.tree.value),
        .integer(snapshot.entry),
        .integer(snapshot.revision),
        .integer(snapshot.nodeCount)
      )
    }
    // There is no such snapshot if the tree was deleted meanwhile.
    add(
      """
      INSERT INTO parts (snapshot, part, checksum, body)
      SELECT max(id), $3::bigint, $4::bigint, $5::bytea FROM snapshots
      WHERE tree_no = $1::bigint AND entry = $2::bigint AND NOT is_whole HAVING max(id) IS NOT NULL
      """,
      .integer(snapshot.tree.value),
      .integer(snapshot.entry),
      .integer(index),
      .integer(snapshot.checksum(ofPart: index, bytes)),
      .bytes(bytes)
    )
  }

  private mutating func finish(_ snapshot: StoredSnapshot) {
    let (tree, entry) = (snapshot.tree.value, snapshot.entry)
    add(
      """
      WITH whole AS (UPDATE snapshots SET is_whole = true, parts = $3::bigint, checksum = $4::bigint
      WHERE id = (SELECT max(id) FROM snapshots
      WHERE tree_no = $1::bigint AND entry = $2::bigint AND NOT is_whole) RETURNING tree_no, entry)
      INSERT INTO garbage (kind, owner, last) SELECT $5::bigint, tree_no, entry FROM whole
      """,
      .integer(tree),
      .integer(entry),
      .integer(snapshot.parts),
      .integer(snapshot.checksum),
      .integer(PostgreSQLGarbage.entries.rawValue)
    )
    add(
      """
      WITH gone AS (DELETE FROM snapshots WHERE tree_no = $1::bigint AND id <> (SELECT max(id)
      FROM snapshots WHERE tree_no = $1::bigint AND entry = $2::bigint AND is_whole) RETURNING id)
      INSERT INTO garbage (kind, owner, last) SELECT $3::bigint, id, $4::bigint FROM gone
      """,
      .integer(tree),
      .integer(entry),
      .integer(PostgreSQLGarbage.parts.rawValue),
      .integer(.max)
    )
  }
}
