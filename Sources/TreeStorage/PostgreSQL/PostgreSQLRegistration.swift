internal import Glibc
internal import TreeDomain

/// The registration of an instance in the database.
struct PostgreSQLRegistration {
  /// The address at which other instances reach it; empty if it works alone.
  let address: String
  let lease: PostgreSQLLease

  /// An instance that must end before this one can begin.
  struct Blocker: Equatable {
    var lease: LeaseWatch.Lease
    var name: String
  }

  enum Outcome {
    case member(PostgreSQLMember)
    case blocked([Blocker])
  }

  /// True if the instance works alone: it excludes all others and has all slots.
  private var isAlone: Bool { address.isEmpty }

  /// The number of connections that may be lost before the registration fails.
  private static let maxLosses = 3

  /// Creates the tables if there are none, and registers the instance.
  ///
  /// The server ends the connection of a process that is suspended in a transaction. So a lost
  /// connection is replaced.
  ///
  /// - Returns: The number of slots, and the instance.
  /// - Throws: ``StorageError``.
  func begin(
    _ database: PostgreSQLAddress,
    slots: Int
  ) throws(StorageError) -> (slots: Int, member: PostgreSQLMember) {
    var losses = 0
    while true {
      let connection = try PostgreSQLConnection(database)
      do throws(StorageError) {
        let slots = try PostgreSQLSchema.prepare(slots: slots, connection)
        return (slots, try wait(connection))
      } catch {
        losses += 1
        guard !connection.isUsable, losses <= Self.maxLosses else { throw error }
      }
    }
  }

  /// Registers the instance, after waiting until the lease of a silent blocker is over.
  ///
  /// The database may still extend the lease of a blocker once after its death.
  ///
  /// - Throws: ``StorageError/failed(_:)`` if the blocker extends its lease twice meanwhile.
  private func wait(_ connection: PostgreSQLConnection) throws(StorageError) -> PostgreSQLMember {
    var watch = LeaseWatch(trustedMilliseconds: lease.ownMilliseconds)
    var ends: [Int: Set<Int>] = [:]
    while true {
      switch try enter(connection, watch) {
      case .member(let member): return member
      case .blocked(let blockers):
        for blocker in blockers {
          ends[blocker.lease.id, default: []].insert(blocker.lease.until)
          if let seen = ends[blocker.lease.id], seen.count > 2 { throw Self.inUse(by: blocker) }
        }
        _ = watch.record(blockers.map(\.lease), at: PostgreSQLLease.now)
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

  /// The columns of an instance's lease.
  static let leaseColumns = """
    id, (extract(epoch FROM until) * 1000000)::bigint, until < clock_timestamp()
    """

  /// Tries to register the instance.
  ///
  /// - Parameters:
  ///   - connection: A connection in the base schema.
  ///   - watch: The leases as they were seen before.
  /// - Returns: The outcome.
  /// - Throws: ``StorageError``. The instance is not registered then.
  func enter(
    _ connection: PostgreSQLConnection,
    _ watch: LeaseWatch
  ) throws(StorageError) -> Outcome {
    let start = PostgreSQLLease.now
    try connection.beginBriefly()
    do throws(StorageError) {
      // The lock lets one instance at a time register.
      try connection.query("SELECT value FROM meta WHERE key = 'format' FOR UPDATE")
      let blockers = try blockers(connection)
      guard blockers.allSatisfy({ watch.isOver($0.lease, at: PostgreSQLLease.now) }) else {
        try connection.run("ROLLBACK")
        return .blocked(blockers)
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

  /// Returns the instances that exclude this one, or that this one excludes.
  ///
  /// An instance that works alone and has no slot is about to end, so it does not count.
  private func blockers(_ connection: PostgreSQLConnection) throws(StorageError) -> [Blocker] {
    let found = try connection.query(
      """
      SELECT \(Self.leaseColumns), name FROM instances
      WHERE ($1::boolean AND address <> '')
      OR address = '' AND id IN (SELECT owner FROM slots) ORDER BY id
      """,
      .boolean(isAlone)
    )
    return found.rows.map { Blocker(lease: $0.lease, name: $0.text(3)) }
  }

  private func insert(_ connection: PostgreSQLConnection) throws(StorageError) -> Int {
    if isAlone { try connection.query("DELETE FROM instances") }
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

  /// The machine and the process, which the error names if another instance is refused.
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
