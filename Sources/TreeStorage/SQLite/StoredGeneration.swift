internal import TreeDomain

/// A row of the table `generations`.
struct StoredGeneration: Equatable {
  /// The number of the generation, from 0.
  var number: Int
  /// The first revision of the generation.
  var start: Revision
  /// The random name, which distinguishes the generation from those of other databases.
  var token: Int
  /// The origin of the database file when the generation began.
  var origin: FileOrigin

  var checksum: Int {
    Checksum([
      number, Int(truncatingIfNeeded: start.number), token, origin.number, origin.seconds,
      origin.nanoseconds,
    ]).value
  }

  /// Compares a database with the last one of its folder.
  ///
  /// - Parameters:
  ///   - origin: The origin of the database file.
  ///   - marker: The folder's marker. It must be read before `stored` and `commits`.
  ///   - stored: The markers in the database.
  ///   - commits: The number of the database's last commit with entries.
  /// - Returns: True if it is the same database.
  func isLast(
    in origin: FileOrigin,
    _ marker: MarkerInPlace,
    _ stored: [MarkerIdentity],
    commits: Int
  ) -> Bool {
    guard self.origin == origin, marker.isKnown(to: stored) else { return false }
    guard let marker = marker.contents else { return true }
    return marker.token == token && marker.generation <= number && marker.commits <= commits
  }
}

// The table of generations; see `Generations`.
extension StoredGeneration {
  /// Returns all generations of a database, oldest first.
  ///
  /// - Throws: ``StorageError/damaged(_:)`` if a row is damaged.
  static func all(
    in connection: inout SQLiteConnection
  ) throws(StorageError) -> [StoredGeneration] {
    try connection.rows(
      """
      SELECT number, revision, token, file, made_seconds, made_nanoseconds, checksum
      FROM generations ORDER BY number
      """
    ) { row throws(StorageError) in
      let generation = StoredGeneration(
        number: row.integer(0),
        start: Revision(UInt64(truncatingIfNeeded: row.integer(1))),
        token: row.integer(2),
        origin: FileOrigin(
          number: row.integer(3),
          seconds: row.integer(4),
          nanoseconds: row.integer(5)
        )
      )
      guard generation.checksum == row.integer(6) else {
        throw .damaged("a row of the table `generations` is not as it was written")
      }
      return generation
    }
  }

  /// Adds the generation to a database.
  func insert(into connection: inout SQLiteConnection) throws(StorageError) {
    try connection.run(
      "INSERT INTO generations VALUES (?, ?, ?, ?, ?, ?, ?)",
      .integer(number),
      .integer(Int(start.number)),
      .integer(token),
      .integer(origin.number),
      .integer(origin.seconds),
      .integer(origin.nanoseconds),
      .integer(checksum)
    )
  }
}
