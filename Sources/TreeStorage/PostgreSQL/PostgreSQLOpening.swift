internal import Glibc
internal import TreeDomain

/// Acquires a slot for an instance.
struct PostgreSQLOpening {
  private let slot: Int
  private let member: PostgreSQLMember
  private let watch: LeaseWatch
  private let connection: PostgreSQLConnection

  /// The facts about a slot when it is opened.
  struct Opened: Sendable {
    var hold: PostgreSQLHold
    /// The number of its first writer.
    var fence: Int
    var generations: Generations
    /// The reason for which a generation began; nil if none did.
    var cause: GenerationCause?
  }

  /// - Parameters:
  ///   - slot: The number of the slot.
  ///   - member: The instance.
  ///   - watch: The leases, as the instance saw them last.
  ///   - connection: A connection in the schema of the slot.
  init(
    _ slot: Int,
    _ member: PostgreSQLMember,
    _ watch: LeaseWatch,
    _ connection: PostgreSQLConnection
  ) {
    self.slot = slot
    self.member = member
    self.watch = watch
    self.connection = connection
  }

  /// Acquires the slot after the last commit of its former owner.
  ///
  /// No statement waits for a lock, because the database measures time limits with the time of day.
  /// If that is set back during a wait, the wait ends late. Until then, the locks of this
  /// transaction would keep leases from being extended.
  ///
  /// - Returns: The facts; nil if an instance with a valid lease owns the slot.
  /// - Throws: ``StorageError``. The slot is not acquired then.
  func open() throws(StorageError) -> Opened? {
    let end = PostgreSQLLease.now + Self.maxWaitMilliseconds
    while true {
      do throws(StorageError) { return try attempt() } catch {
        let isLocked = connection.state == Self.isLocked
        guard isLocked, PostgreSQLLease.now < end else { throw error }
        usleep(Self.pauseMilliseconds * 1_000)
      }
    }
  }

  /// The time to wait for the former owner's last commit before the slot is tried again.
  private static let maxWaitMilliseconds = 3_000
  /// The time between two attempts to lock.
  private static let pauseMilliseconds: UInt32 = 50
  /// The code of the error if a lock that was requested with `NOWAIT` is not available.
  private static let isLocked = "55P03"

  private func attempt() throws(StorageError) -> Opened? {
    try connection.beginBriefly()
    do throws(StorageError) {
      guard try isFree() else {
        try connection.run("ROLLBACK")
        return nil
      }
      let opened = try acquire()
      _ = connection.popWarnings()
      try connection.run("COMMIT")
      guard connection.popWarnings() == 0 else {
        throw .failed("the commit did not wait for the standby")
      }
      return opened
    } catch {
      try? connection.run("ROLLBACK")
      throw error
    }
  }

  /// Returns true if no other instance with a lease owns the slot.
  ///
  /// Until the transaction ends, no other instance acquires the slot, and its owner's lease is not
  /// extended. The lease is read after its row is locked.
  private func isFree() throws(StorageError) -> Bool {
    let base = PostgreSQLSchema.base
    let alive = try connection.query(
      """
      SELECT until >= clock_timestamp() FROM \(base).instances
      WHERE id = $1::bigint FOR KEY SHARE NOWAIT
      """,
      .integer(member.id)
    )
    guard alive.rows.first?.boolean(0) == true else {
      throw .failed("the lease of this instance is over")
    }
    let owner = try connection.query(
      "SELECT owner FROM \(base).slots WHERE number = $1::bigint FOR UPDATE NOWAIT",
      .integer(slot)
    ).integer
    guard let owner else { throw .damaged("the table `slots` has no slot \(slot)") }
    if owner == 0 || owner == member.id { return true }
    let found = try connection.query(
      """
      SELECT \(PostgreSQLRegistration.leaseColumns) FROM \(base).instances
      WHERE id = $1::bigint FOR SHARE NOWAIT
      """,
      .integer(owner)
    )
    // An instance that ended its lease, or lost it long ago, has no row.
    guard let lease = found.rows.first?.lease else { return true }
    return watch.isOver(lease, at: PostgreSQLLease.now)
  }

  /// Sets the instance as the owner, in the running transaction.
  private func acquire() throws(StorageError) -> Opened {
    try Self.endCutOffWriters(connection)
    // A commit that is under way holds the row of its writer.
    try connection.query("SELECT fence FROM writers WHERE NOT is_closed FOR UPDATE NOWAIT")
    try connection.run("UPDATE writers SET is_closed = true WHERE NOT is_closed")
    try connection.run("DELETE FROM writers WHERE fence < (SELECT max(fence) - 100 FROM writers)")
    let terms = try connection.query(
      """
      UPDATE \(PostgreSQLSchema.base).slots SET owner = $1::bigint, term = term + 1
      WHERE number = $2::bigint RETURNING term
      """,
      .integer(member.id),
      .integer(slot)
    )
    guard let term = terms.integer else { throw .damaged("the slot \(slot) is gone") }
    let fence = try Self.addWriter(commits: 0, term: term, connection)
    let (generations, cause) = try resolveGenerations()
    return Opened(
      hold: PostgreSQLHold(slot, term: term, member),
      fence: fence,
      generations: generations,
      cause: cause
    )
  }

  /// Ends the connections of writers that wait for the rest of a request, which was cut off.
  ///
  /// Otherwise they would keep their locks until they notice that the client is gone.
  static func endCutOffWriters(_ connection: PostgreSQLConnection) throws(StorageError) {
    try connection.query(
      """
      SELECT pg_terminate_backend(pid) FROM writers JOIN pg_stat_activity
      ON pid = process AND backend_start = begun
      WHERE NOT is_closed AND wait_event = 'ClientRead' AND state <> 'idle'
      """
    )
  }

  /// Adds a writer in the running transaction.
  ///
  /// - Returns: Its fence.
  static func addWriter(
    commits: Int,
    term: Int,
    _ connection: PostgreSQLConnection
  ) throws(StorageError) -> Int {
    let next = try connection.query(
      "UPDATE meta SET value = value + 1 WHERE key = 'fence' RETURNING value"
    )
    guard let fence = next.integer else {
      throw .damaged("the table `meta` is not as it was written")
    }
    try connection.query(
      """
      INSERT INTO writers (fence, term, commits, process, begun)
      SELECT $1::bigint, $2::bigint, $3::bigint, pg_backend_pid(),
      (SELECT backend_start FROM pg_stat_activity WHERE pid = pg_backend_pid())
      """,
      .integer(fence),
      .integer(term),
      .integer(commits)
    )
    return fence
  }

  /// Begins a generation if the database is a copy or a promoted standby, or if changes were lost.
  private func resolveGenerations() throws(StorageError) -> (Generations, GenerationCause?) {
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

  /// Returns the number of a block of revisions, which grows with the clock of the database.
  ///
  /// A backup does not contain the generations that began after it was made. So a generation takes
  /// its first revision from the time: each quarter of a second has a block of its own.
  private static func blockOfNow(_ connection: PostgreSQLConnection) throws(StorageError) -> UInt64
  {
    let quarters = try connection.query(
      "SELECT (4 * (extract(epoch FROM clock_timestamp()) - 1767225600))::bigint"
    )
    return UInt64(max(quarters.integer ?? 0, 0))
  }
}
