package import TreeDomain

// Reads of committed data.
extension PostgreSQLStorage {
  /// Always true: an instance that takes over does not know which uncommitted changes were shown.
  package var readsWait: Bool { true }

  /// Reads a tree with the numbers of its last entry, or of its snapshot if there is no entry.
  private static let treeQuery = """
    SELECT \(PostgreSQLRow.treeColumns), e.seq, e.revision, e.nodes, e.head,
    s.entry, s.parts, s.revision, s.nodes, s.checksum FROM trees
    LEFT JOIN LATERAL (SELECT seq, revision, nodes, head FROM entries
      WHERE entries.tree_no = trees.tree_no ORDER BY seq DESC LIMIT 1) AS e ON true
    LEFT JOIN LATERAL (SELECT entry, parts, revision, nodes, checksum FROM snapshots
      WHERE snapshots.tree_no = trees.tree_no AND is_whole AND e.seq IS NULL
      ORDER BY snapshots.id DESC LIMIT 1) AS s ON true
    """

  /// Returns a tree with its numbers, from a row of ``treeQuery``.
  private static func tree(_ row: PostgreSQLRow) throws(StorageError) -> StoredTree {
    var tree = try row.tree()
    if !row.isNull(5) {
      let entry = StoredEntry(
        number: row.integer(5),
        revision: row.integer(6),
        nodeCount: row.integer(7),
        body: []
      )
      guard entry.head(in: tree.number).value == row.integer(8) else {
        throw PostgreSQLRow.damagedTree(tree.number.value)
      }
      (tree.revision, tree.nodeCount) = (entry.revision, entry.nodeCount)
    } else if !row.isNull(9) {
      let snapshot = try row.snapshot(of: tree.number, from: 9)
      (tree.revision, tree.nodeCount) = (snapshot.revision, snapshot.nodeCount)
    }
    return tree
  }

  /// Returns the shared trees, sorted by id, those with a damaged entry included.
  package func sharedTrees() throws(StorageError) -> [StoredTree] {
    try readers.read { reader throws(StorageError) in
      let found = try reader.query(
        Self.treeQuery + " WHERE NOT is_deleted AND NOT is_private ORDER BY trees.id"
      )
      var trees: [StoredTree] = []
      for row in found.rows {
        do throws(StorageError) { trees.append(try Self.tree(row)) } catch .damaged {
          // Requests for a damaged tree are refused, and the other trees are served.
          guard var tree = try? row.tree() else { throw PostgreSQLRow.damagedTree(row.integer(0)) }
          tree.isDamaged = true
          trees.append(tree)
        }
      }
      return trees
    }
  }

  /// Returns up to `limit` numbers of trees after a number, in order.
  package func trees(after number: TreeNumber, limit: Int) throws(StorageError) -> [TreeNumber] {
    try readers.read { reader throws(StorageError) in
      try reader.query(
        """
        SELECT tree_no FROM trees WHERE NOT is_deleted AND tree_no > $1::bigint
        ORDER BY tree_no LIMIT $2::bigint
        """,
        .integer(number.value),
        .integer(limit)
      ).rows.map { TreeNumber($0.integer(0)) }
    }
  }

  /// Returns a tree by its number; `nil` if it was deleted.
  package func tree(_ number: TreeNumber) throws(StorageError) -> StoredTree? {
    try readers.read { reader throws(StorageError) in
      let found = try reader.query(
        Self.treeQuery + " WHERE NOT is_deleted AND trees.tree_no = $1::bigint",
        .integer(number.value)
      )
      guard let row = found.rows.first else { return nil }
      return try Self.tree(row)
    }
  }

  /// Returns a number above those of all trees that ever existed.
  package func nextTreeNumber() throws(StorageError) -> TreeNumber {
    try readers.read { reader throws(StorageError) in
      let last = try reader.query(
        """
        SELECT greatest((SELECT value FROM meta WHERE key = 'last_tree'),
        (SELECT max(tree_no) FROM trees), 0)
        """
      )
      return TreeNumber((last.integer ?? 0) + 1)
    }
  }

  /// Returns entries of a tree after a number, in order, up to a number of bytes.
  package func entries(
    of tree: TreeNumber,
    after number: Int,
    bytes: Int
  ) throws(StorageError) -> [StoredEntry] {
    try readers.read { reader throws(StorageError) in
      let found = try reader.query(
        """
        SELECT \(PostgreSQLRow.entryColumns) FROM (SELECT *,
        sum(octet_length(body)) OVER (ORDER BY seq) - octet_length(body) AS before
        FROM (SELECT * FROM entries WHERE tree_no = $1::bigint AND seq > $2::bigint
        ORDER BY seq LIMIT 4096) AS first) AS found WHERE before < $3::bigint ORDER BY seq
        """,
        .integer(tree.value),
        .integer(number),
        .integer(bytes)
      )
      var entries: [StoredEntry] = []
      for row in found.rows {
        let awaited = number + entries.count + 1
        guard row.integer(0) == awaited else {
          // Entries before a gap are returned; a gap at the beginning is damage.
          guard entries.isEmpty else { break }
          throw .damaged(
            "entry \(awaited) of tree number \(tree.value) is missing before \(row.integer(0))"
          )
        }
        entries.append(try row.entry(of: tree))
      }
      return entries
    }
  }

  /// Returns the snapshot of a tree; `nil` if there is none.
  package func snapshot(of tree: TreeNumber) throws(StorageError) -> StoredSnapshot? {
    try readers.read { reader throws(StorageError) in
      let found = try reader.query(
        """
        SELECT \(PostgreSQLRow.snapshotColumns) FROM snapshots
        WHERE tree_no = $1::bigint AND is_whole ORDER BY id DESC LIMIT 1
        """,
        .integer(tree.value)
      )
      guard let row = found.rows.first else { return nil }
      return try row.snapshot(of: tree)
    }
  }

  /// Returns a part of a snapshot, counted from 0.
  package func part(_ index: Int, of snapshot: StoredSnapshot) throws(StorageError) -> [UInt8] {
    try readers.read { reader throws(StorageError) in
      let found = try reader.query(
        """
        SELECT p.body, p.checksum FROM (SELECT max(id) AS id FROM snapshots
        WHERE tree_no = $1::bigint AND entry = $2::bigint AND is_whole) AS s
        LEFT JOIN parts AS p ON p.snapshot = s.id AND p.part = $3::bigint WHERE s.id IS NOT NULL
        """,
        .integer(snapshot.tree.value),
        .integer(snapshot.entry),
        .integer(index)
      )
      guard let row = found.rows.first else {
        throw .failed("the snapshot was replaced by a newer one")
      }
      let bytes = row.bytes(0)
      guard !row.isNull(0), snapshot.checksum(ofPart: index, bytes) == row.integer(1) else {
        throw .damaged(
          "part \(index) of a snapshot of tree number \(snapshot.tree.value) is not as written"
        )
      }
      return bytes
    }
  }
}
