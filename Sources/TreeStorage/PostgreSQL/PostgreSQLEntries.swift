internal import TreeDomain

/// Entries that one statement adds.
struct PostgreSQLEntries {
  private var (owners, numbers): ([Int], [Int]) = ([], [])
  private var (revisions, nodeCounts): ([Int], [Int]) = ([], [])
  private var (heads, checksums): ([Int], [Int]) = ([], [])
  private var bodies: [[UInt8]] = []
  private var bytes = 0

  /// The maximum size of a statement, unless one entry is longer.
  ///
  /// A message may have 10⁹ bytes.
  private static let maxBytes = 1 << 24
  private static let maxRows = 10_000

  var isEmpty: Bool { bodies.isEmpty }

  /// The trees of the entries.
  var trees: Set<Int> { Set(owners) }

  /// Returns true if the statement may have one more entry.
  func hasRoom(for entry: StoredEntry) -> Bool {
    isEmpty || bytes + entry.body.count <= Self.maxBytes && bodies.count < Self.maxRows
  }

  mutating func add(_ entry: StoredEntry, of tree: TreeNumber) {
    let head = entry.head(in: tree)
    owners.append(tree.value)
    numbers.append(entry.number)
    revisions.append(entry.revision)
    nodeCounts.append(entry.nodeCount)
    heads.append(head.value)
    checksums.append(head.adding(entry.body).value)
    bodies.append(entry.body)
    bytes += entry.body.count
  }

  /// Returns the statement that adds the entries.
  ///
  /// It also checks that each tree has the fence of the writer, and locks the row until the commit.
  /// If a tree has another fence, the statement divides by zero, and the commit fails. Entries of
  /// deleted trees are left out.
  func statement(fence: Int) -> PostgreSQLStatement {
    PostgreSQLStatement(
      """
      WITH held AS MATERIALIZED (SELECT tree_no, fence FROM trees
      WHERE tree_no = ANY($2::bigint[]) AND NOT is_deleted FOR SHARE)
      INSERT INTO entries (tree_no, seq, fence, revision, nodes, head, checksum, body)
      SELECT n.tree_no, n.seq, $1::bigint / (held.fence = $1::bigint)::int,
      n.revision, n.nodes, n.head, n.checksum, n.body
      FROM unnest($3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[],
      $8::bigint[], $9::bytea[]) AS n (tree_no, seq, revision, nodes, head, checksum, body)
      JOIN held USING (tree_no)
      """,
      .integer(fence),
      .integers(trees.sorted()),
      .integers(owners),
      .integers(numbers),
      .integers(revisions),
      .integers(nodeCounts),
      .integers(heads),
      .integers(checksums),
      .byteStrings(bodies)
    )
  }
}
