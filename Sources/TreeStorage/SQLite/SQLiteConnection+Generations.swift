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

// The generations of the database; see `Generations`.
extension SQLiteConnection {
  /// Returns all generations, oldest first.
  ///
  /// - Throws: ``StorageError/damaged(_:)`` if a row is damaged.
  mutating func storedGenerations() throws(StorageError) -> [StoredGeneration] {
    try rows(
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

  /// Reads the number of the last commit with entries.
  ///
  /// Each such commit adds a row to `bundles`. Its last row is never removed, and no number is used
  /// twice.
  mutating func findNewestBundle() throws(StorageError) {
    newestBundle = try rows("SELECT ifnull(max(id), 0) FROM bundles") { $0.integer(0) }.first ?? 0
  }

  /// Returns an upper bound of the stored revisions of all trees and sessions.
  ///
  /// Trees whose last entry is damaged are left out, because their revision is unknown.
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
