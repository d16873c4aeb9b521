internal import TreeDomain

/// A generation as the database keeps it.
struct StoredGeneration: Equatable {
  /// Its number, from 0 on.
  var number: Int
  /// Its first revision.
  var start: Revision
  /// Names it, other than any generation of a copy.
  var token: Int
  /// The file that the database was in when it began.
  var origin: FileOrigin

  var checksum: Int {
    Checksum([
      number, Int(truncatingIfNeeded: start.number), token, origin.number, origin.seconds,
      origin.nanoseconds,
    ]).value
  }

  /// Compares a database with what its folder had last.
  ///
  /// - Parameters:
  ///   - origin: That of the file.
  ///   - marker: What the folder's marker tells, if there is one; read before `commits`.
  ///   - commits: The number of the database's last commit with entries.
  /// - Returns: True if it is the same database.
  func isLast(in origin: FileOrigin, _ marker: GenerationMarker.Contents?, commits: Int) -> Bool {
    guard self.origin == origin else { return false }
    guard let marker else { return true }
    return marker.token == token && marker.generation <= number && marker.commits <= commits
  }
}

// The generations of the database; see `Generations`.
extension SQLiteConnection {
  /// The table of generations, of which the last row is the current one.
  static let generations = [
    """
    CREATE TABLE generations (number INTEGER PRIMARY KEY, revision INTEGER NOT NULL,
      token INTEGER NOT NULL, file INTEGER NOT NULL, made_seconds INTEGER NOT NULL,
      made_nanoseconds INTEGER NOT NULL, checksum INTEGER NOT NULL)
    """
  ]

  /// Returns all generations, the first one first.
  ///
  /// - Throws: ``StorageError/damaged(_:)`` where a row is not as it was written.
  mutating func storedGenerations() throws(StorageError) -> [StoredGeneration] {
    guard format >= Self.formatOfGenerations else { return [] }
    return try rows(
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

  /// Adds a generation.
  mutating func insert(_ generation: StoredGeneration) throws(StorageError) {
    try run(
      "INSERT INTO generations VALUES (?, ?, ?, ?, ?, ?, ?)",
      .integer(generation.number),
      .integer(Int(generation.start.number)),
      .integer(generation.token),
      .integer(generation.origin.number),
      .integer(generation.origin.seconds),
      .integer(generation.origin.nanoseconds),
      .integer(generation.checksum)
    )
  }

  /// Finds out the number of the last commit with entries: each adds a row to `bundles`, of which
  /// the last one always stays, and no number comes twice.
  mutating func findNewestBundle() throws(StorageError) {
    newestBundle = try rows("SELECT ifnull(max(id), 0) FROM bundles") { $0.integer(0) }.first ?? 0
  }

  /// Returns a revision that none of a tree or its sessions is above, as far as is stored.
  ///
  /// Trees whose last entry is damaged are left out, as they do not tell.
  ///
  /// - Complexity: O(*n* log *n*) for *n* trees.
  mutating func highestRevision(in generations: Generations) throws(StorageError) -> Revision {
    try updateArrivals()
    defer { arrivals = Arrivals() }
    var highest = generations.current
    let numbers = try rows("SELECT number FROM trees WHERE is_deleted = 0") {
      TreeNumber($0.integer(0))
    }
    for number in numbers {
      do throws(StorageError) {
        let last = try lastNumbers(of: number)
        highest = max(highest, generations.bound(entry: last.entry, revision: last.revision))
      } catch .damaged { continue }
    }
    let retired = try rows("SELECT ifnull(max(revision), 0) FROM retired") { $0.integer(0) }
    return max(highest, Revision(UInt64(max(0, retired.first ?? 0))))
  }
}
