internal import TreeDomain

/// A generation as stored in the database.
struct PostgreSQLGeneration {
  /// Its number, from 0.
  var number: Int
  /// Its first revision.
  var start: Revision
  /// The place of the database when it began.
  var place: Place

  /// The identity of a database, by which it is distinguished from its copies.
  ///
  /// A restored dump has other tables. A server that was recovered to a point in time is on another
  /// timeline, and so is a promoted standby.
  struct Place: Equatable {
    /// The identifier of the cluster.
    var cluster: Int
    /// The numbers of the database and of the table `meta`.
    var tables: Int
    var timeline: Int
  }

  private var checksum: Int {
    Checksum([
      number, Int(truncatingIfNeeded: start.number), place.cluster, place.tables, place.timeline,
    ]).value
  }

  /// Returns all generations in order.
  ///
  /// - Throws: ``StorageError/damaged(_:)`` if a row is not as it was written.
  static func all(
    _ connection: PostgreSQLConnection
  ) throws(StorageError) -> [PostgreSQLGeneration] {
    let found = try connection.query(
      """
      SELECT number, revision, cluster, place, timeline, checksum FROM generations ORDER BY number
      """
    )
    var generations: [PostgreSQLGeneration] = []
    for row in found.rows {
      let generation = PostgreSQLGeneration(
        number: row.integer(0),
        start: Revision(UInt64(truncatingIfNeeded: row.integer(1))),
        place: Place(cluster: row.integer(2), tables: row.integer(3), timeline: row.integer(4))
      )
      guard generation.checksum == row.integer(5) else {
        throw .damaged("a row of the table `generations` is not as it was written")
      }
      generations.append(generation)
    }
    return generations
  }

  /// Stores the generation.
  func insert(_ connection: PostgreSQLConnection) throws(StorageError) {
    try connection.query(
      """
      INSERT INTO generations (number, revision, cluster, place, timeline, checksum)
      VALUES ($1::bigint, $2::bigint, $3::bigint, $4::bigint, $5::bigint, $6::bigint)
      """,
      .integer(number),
      .integer(Int(start.number)),
      .integer(place.cluster),
      .integer(place.tables),
      .integer(place.timeline),
      .integer(checksum)
    )
  }

  /// Returns the place of a connection's database.
  static func place(of connection: PostgreSQLConnection) throws(StorageError) -> Place {
    let found = try connection.query(
      """
      SELECT (SELECT system_identifier FROM pg_control_system()),
      (SELECT oid::bigint << 32 FROM pg_database WHERE datname = current_database())
      | to_regclass('meta')::oid::bigint,
      ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int::bigint
      """
    )
    let row = found.rows[0]
    return Place(cluster: row.integer(0), tables: row.integer(1), timeline: row.integer(2))
  }

  /// Returns an upper bound for all stored revisions of a tree and its sessions.
  ///
  /// - Complexity: O(entries).
  static func highestRevision(
    in generations: Generations,
    _ connection: PostgreSQLConnection
  ) throws(StorageError) -> Revision {
    let current = Int(generations.current.number)
    let found = try connection.query(
      """
      SELECT greatest($1::bigint,
      (SELECT max(greatest(revision, $1::bigint) + seq) FROM entries),
      (SELECT max(greatest(revision, $1::bigint) + entry) FROM snapshots),
      (SELECT max(revision) FROM retired))
      """,
      .integer(current)
    )
    return Revision(UInt64(max(found.integer ?? current, current)))
  }
}

extension Generations {
  init(_ stored: [PostgreSQLGeneration]) {
    self.init(stored.map(\.start).filter { $0.number > 0 })
  }
}
