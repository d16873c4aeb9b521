internal import Glibc
internal import TreeDomain

/// Enters an instance into the database.
struct PostgreSQLRegistration {
  /// The address at which others reach it; empty if it works alone.
  let address: String
  let lease: PostgreSQLLease

  /// An instance that must end before this one can begin.
  struct Blocker: Equatable {
    var id: Int
    var name: String
    /// The end of its lease, in microseconds by the database's clock.
    var until: Int
  }

  enum Outcome {
    case member(PostgreSQLMember)
    case blocked(Blocker)
  }

  /// An instance alone excludes all others, and has all slots.
  private var isAlone: Bool { address.isEmpty }

  /// Enters the instance, and waits for the lease of one that is silent.
  ///
  /// - Throws: ``StorageError/failed(_:)`` if that one extends its lease meanwhile.
  func wait(_ connection: PostgreSQLConnection) throws(StorageError) -> PostgreSQLMember {
    var first: Blocker?
    while true {
      switch try enter(connection) {
      case .member(let member): return member
      case .blocked(let blocker):
        guard blocker == first ?? blocker else { throw Self.inUse(by: blocker) }
        first = blocker
        usleep(50_000)
      }
    }
  }

  private static func inUse(by blocker: Blocker) -> StorageError {
    .failed(
      """
      the database is in use by another instance (\(blocker.name)); stop that one, or give \
      --storage another database
      """
    )
  }

  /// The columns of an instance that tell its lease.
  static let leaseColumns = """
    id, (extract(epoch FROM until) * 1000000)::bigint, until < clock_timestamp()
    """

  /// Tries to enter the instance.
  func enter(_ connection: PostgreSQLConnection) throws(StorageError) -> Outcome {
    let start = PostgreSQLLease.now
    try connection.run("BEGIN")
    do throws(StorageError) {
      // One at a time.
      try connection.query("SELECT value FROM meta WHERE key = 'format' FOR UPDATE")
      if let blocker = try blocker(connection) {
        try connection.run("ROLLBACK")
        return .blocked(blocker)
      }
      let id = try insert(connection)
      _ = connection.popWarnings()
      try connection.run("COMMIT")
      guard connection.popWarnings() == 0 else {
        throw .failed("the commit did not wait for the standby")
      }
      return .member(PostgreSQLMember(id, until: start + lease.ownMilliseconds))
    } catch {
      try? connection.run("ROLLBACK")
      throw error
    }
  }

  /// Returns an instance that excludes this one, or that this one excludes.
  ///
  /// An instance alone that has no slot is about to end.
  private func blocker(_ connection: PostgreSQLConnection) throws(StorageError) -> Blocker? {
    let found = try connection.query(
      """
      SELECT id, name, (extract(epoch FROM until) * 1000000)::bigint FROM instances
      WHERE until >= clock_timestamp() AND (($1::boolean AND address <> '')
      OR address = '' AND id IN (SELECT owner FROM slots)) ORDER BY id LIMIT 1
      """,
      .boolean(isAlone)
    )
    return found.rows.first.map {
      Blocker(id: $0.integer(0), name: $0.text(1), until: $0.integer(2))
    }
  }

  private func insert(_ connection: PostgreSQLConnection) throws(StorageError) -> Int {
    // Those whose leases ended long ago, so that they have nothing any more.
    try connection.query(
      """
      DELETE FROM instances
      WHERE $1::boolean OR until < clock_timestamp() - interval '60 seconds'
      """,
      .boolean(isAlone)
    )
    let made = try connection.query(
      """
      INSERT INTO instances (address, name, until) VALUES ($1::text, $2::text,
      clock_timestamp() + $3::bigint * interval '1 millisecond') RETURNING id
      """,
      .text(address),
      .text(Self.name),
      .integer(lease.milliseconds)
    )
    guard let id = made.integer else { throw .damaged("the table `instances` gives no numbers") }
    if isAlone {
      try connection.query("UPDATE slots SET owner = $1::bigint, term = term + 1", .integer(id))
    }
    return id
  }

  /// The machine and the process, for whoever wants to start another one.
  private static var name: String {
    "process \(getpid()) on \(PostgreSQLSystem.hostName ?? "a machine without a name")"
  }
}

extension PostgreSQLRow {
  /// A lease, from the columns of ``PostgreSQLRegistration/leaseColumns``.
  var lease: LeaseWatch.Lease {
    LeaseWatch.Lease(id: integer(0), until: integer(1), isPast: boolean(2))
  }
}
