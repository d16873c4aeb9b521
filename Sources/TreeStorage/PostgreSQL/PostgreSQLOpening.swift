internal import Glibc
internal import TreeDomain

/// Makes an instance the owner of a database.
struct PostgreSQLOpening {
  private let address: PostgreSQLAddress
  private let lease: PostgreSQLLease

  /// The facts about a database when it is opened.
  struct Opened: Sendable {
    var ownership: PostgreSQLOwnership
    var instance: Int
    /// The number of its first writer.
    var fence: Int
    var generations: Generations
    /// The reason for which a generation began; nil if none did.
    var cause: GenerationCause?
  }

  /// The lease of another instance.
  private struct Owner: Equatable {
    var instance: Int
    var address: String
    /// Its end, in microseconds by the database's clock.
    var until: Int
  }

  init(_ address: PostgreSQLAddress, _ lease: PostgreSQLLease) {
    self.address = address
    self.lease = lease
  }

  /// Takes the database over as soon as nobody owns it.
  ///
  /// - Throws: ``StorageError/failed(_:)`` if its owner extends the lease meanwhile.
  func open() throws(StorageError) -> Opened {
    let connection = try PostgreSQLConnection(address)
    try PostgreSQLSchema.settle(connection)
    var first: Owner?
    while true {
      let start = PostgreSQLLease.now
      try connection.run("BEGIN")
      guard let owner = try owner(connection) else {
        let opened = try take(connection, askedAt: start)
        _ = connection.takeWarnings()
        try connection.run("COMMIT")
        return opened
      }
      try connection.run("ROLLBACK")
      guard owner == first ?? owner else { throw Self.owned(by: owner) }
      first = owner
      usleep(50_000)
    }
  }

  private static func owned(by owner: Owner) -> StorageError {
    .failed(
      """
      the database is in use by another instance (\(owner.address)); stop that one, or give \
      --storage another database
      """
    )
  }

  /// Returns the owner with a lease that lasts; nil if there is none.
  ///
  /// Until the transaction ends, no other instance takes over, and no lease is extended.
  private func owner(_ connection: PostgreSQLConnection) throws(StorageError) -> Owner? {
    let id = try connection.query("SELECT value FROM meta WHERE key = 'owner' FOR UPDATE").integer
    guard let id, id > 0 else { return nil }
    let found = try connection.query(
      """
      SELECT id, address, (extract(epoch FROM until) * 1000000)::bigint FROM instances
      WHERE id = $1::bigint FOR UPDATE
      """,
      .integer(id)
    )
    guard let row = found.rows.first else { return nil }
    let now = try connection.query(
      "SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint"
    )
    let owner = Owner(instance: row.integer(0), address: row.text(1), until: row.integer(2))
    return owner.until < now.integer ?? 0 ? nil : owner
  }

  /// Makes this instance the owner, in the running transaction.
  ///
  private func take(
    _ connection: PostgreSQLConnection,
    askedAt start: Int
  ) throws(StorageError) -> Opened {
    // Waits for the last commit of the former owner.
    try connection.run("UPDATE writers SET is_closed = true WHERE NOT is_closed")
    try connection.run("DELETE FROM writers WHERE fence < (SELECT max(fence) - 100 FROM writers)")
    try connection.run("DELETE FROM instances")
    let made = try connection.query(
      """
      INSERT INTO instances (address, until)
      VALUES ($1::text, clock_timestamp() + $2::bigint * interval '1 millisecond') RETURNING id
      """,
      .text(Self.ownAddress),
      .integer(lease.milliseconds)
    )
    let fences = try connection.query(
      "UPDATE meta SET value = value + 1 WHERE key = 'fence' RETURNING value"
    )
    guard let instance = made.integer, let fence = fences.integer else {
      throw .damaged("the table `meta` is not as it was written")
    }
    try connection.query(
      "UPDATE meta SET value = $1::bigint WHERE key = 'owner'",
      .integer(instance)
    )
    try connection.query(
      "INSERT INTO writers (fence, instance, commits) VALUES ($1::bigint, $2::bigint, 0)",
      .integer(fence),
      .integer(instance)
    )
    let (generations, cause) = try settleGenerations(connection)
    let opened = Opened(
      ownership: PostgreSQLOwnership(lease, askedAt: start),
      instance: instance,
      fence: fence,
      generations: generations,
      cause: cause
    )
    return opened
  }

  /// Begins a generation if it is not the database that it was, or changes were lost.
  private func settleGenerations(
    _ connection: PostgreSQLConnection
  ) throws(StorageError) -> (Generations, GenerationCause?) {
    let stored = try PostgreSQLGeneration.all(connection)
    let place = try PostgreSQLGeneration.place(of: connection)
    let lost = try connection.query("SELECT value FROM meta WHERE key = 'loss'").integer
    guard let last = stored.last else {
      try PostgreSQLGeneration(number: 0, start: Revision(0), place: place).insert(connection)
      return (Generations(), nil)
    }
    let generations = Generations(stored)
    guard last.place != place || lost != nil else { return (generations, nil) }
    let highest = try PostgreSQLGeneration.highestRevision(in: generations, connection)
    let bound = max(highest, Revision(UInt64(max(lost ?? 0, 0))))
    var block = Generations.block(of: bound)
    if last.place != place { block = max(block, try Self.blockOfNow(connection)) }
    let start = Generations.start(aboveBlock: block)
    let next = PostgreSQLGeneration(number: last.number + 1, start: start, place: place)
    try next.insert(connection)
    try connection.run("DELETE FROM meta WHERE key = 'loss'")
    let cause = last.place != place ? GenerationCause.restoredBackup : .lostChanges
    return (Generations(stored + [next]), cause)
  }

  /// Returns a block of revisions that grows with the time, by the clock of the database.
  ///
  /// A backup does not tell which generations began after it was made, not even if it is restored
  /// twice. One that begins later has a higher block, as each quarter of a second has its own.
  private static func blockOfNow(_ connection: PostgreSQLConnection) throws(StorageError) -> UInt64
  {
    let quarters = try connection.query(
      "SELECT (4 * (extract(epoch FROM clock_timestamp()) - 1767225600))::bigint"
    )
    return UInt64(max(quarters.integer ?? 0, 0))
  }

  /// The machine and the process, for whoever wants to start another one.
  private static var ownAddress: String {
    "process \(getpid()) on \(PostgreSQLSystem.hostName ?? "a machine without a name")"
  }
}
