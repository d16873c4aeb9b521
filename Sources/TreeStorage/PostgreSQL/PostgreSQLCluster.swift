internal import CLinux
internal import Glibc
internal import Synchronization
package import TreeDomain

/// An instance that serves a database, alone or with others, and its lease.
///
/// The lease is extended every second, on a thread of its own. While it lasts, no other instance
/// acquires the slots of this one. An instance without an address works alone: it has all slots and
/// excludes other instances. Requires PostgreSQL 14 or later and its client library.
package final class PostgreSQLCluster: Sendable {
  /// The time for which an instance may be silent before others take over, in milliseconds.
  package static let leaseMilliseconds = 5_000
  /// The number of slots of a new database.
  package static let defaultSlots = 16

  /// The slots.
  package let slots: TreeSlots
  /// True if this instance works alone.
  package var isAlone: Bool { registration.address.isEmpty }
  private let database: PostgreSQLAddress
  private let registration: PostgreSQLRegistration
  let pool: PostgreSQLReaders
  private let state: Mutex<State>
  private let waker = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
  private let isLeaving = Atomic(false)
  private let isEnding = Atomic(false)
  private let storedBytes = Atomic(-1)

  private struct State: Sendable {
    var member: PostgreSQLMember
    var holds: [PostgreSQLHold] = []
    var watch: LeaseWatch
  }

  /// Registers the instance in a database, and creates the tables if there are none.
  ///
  /// Waits for the lease of a silent instance that excludes this one, a few seconds at most.
  ///
  /// - Parameters:
  ///   - uri: A connection URI (postgresql.org/docs/15/libpq-connect.html, section 34.1.1).
  ///   - address: The address at which other instances reach this one; empty to work alone.
  ///   - slots: The number of slots of a new database, from 1 to 64.
  ///   - leaseMilliseconds: The length of the lease.
  /// - Throws: ``StorageError`` if another instance excludes this one, the client library is
  ///   missing, the database cannot be used, or it has another format.
  package init(
    uri: String,
    address: String = "",
    slots: Int = PostgreSQLCluster.defaultSlots,
    leaseMilliseconds: Int = PostgreSQLCluster.leaseMilliseconds
  ) throws(StorageError) {
    database = try PostgreSQLAddress(uri)
    registration = PostgreSQLRegistration(
      address: address,
      lease: PostgreSQLLease(milliseconds: leaseMilliseconds)
    )
    pool = PostgreSQLReaders(database)
    let (count, member) = try registration.begin(database, slots: slots)
    self.slots = TreeSlots(count: count)
    let watch = LeaseWatch(trustedMilliseconds: registration.lease.ownMilliseconds)
    state = Mutex(State(member: member, watch: watch))
  }

  deinit { Glibc.close(waker) }

  /// True while the lease lasts, so that no other instance can have acquired this one's slots.
  ///
  /// It is false after some seconds without an answer of the database.
  package var isValid: Bool { state.withLock { $0.member }.isValid }

  /// The size of the database in bytes, measured about every half minute; nil if it is unknown.
  package var size: Int? {
    let bytes = storedBytes.load(ordering: .relaxed)
    return bytes < 0 ? nil : bytes
  }

  /// True if other instances may have acquired this one's slots, because its lease is over.
  package var isOverdue: Bool {
    let time = registration.lease.milliseconds - registration.lease.ownMilliseconds
    return state.withLock { $0.member }.isOverdue(byMilliseconds: time)
  }

  /// Acquires a slot.
  ///
  /// - Returns: Its storage; nil if an instance with a valid lease owns it.
  /// - Throws: ``StorageError`` if the owner cannot be read or the slot cannot be opened.
  package func acquire(_ slot: Int) throws(StorageError) -> PostgreSQLStorage? {
    let (member, watch) = state.withLock { ($0.member, $0.watch) }
    let schema = PostgreSQLSchema.name(ofSlot: slot)
    let connection = try PostgreSQLConnection(database, schema: schema, isWriting: true)
    guard let opened = try PostgreSQLOpening(slot, member, watch, connection).open() else {
      return nil
    }
    state.withLock { $0.holds.append(opened.hold) }
    return PostgreSQLStorage(opened, database, pool, connection)
  }

  /// Returns the slots of the sessions that are not in the slot of their id.
  package func movedSessions() throws(StorageError) -> [SessionID: Int] {
    try pool.read { reader throws(StorageError) in
      var moved: [SessionID: Int] = [:]
      for row in try reader.query("SELECT id, slot FROM moved_sessions").rows {
        guard let id = SessionID(row.bytes(0)[...]) else {
          throw .damaged("a row of the table `moved_sessions` has no id of a session")
        }
        moved[id] = row.integer(1)
      }
      return moved
    }
  }

  /// Stores the slots of sessions that are not in the slot of their id.
  package func move(_ sessions: [SessionID: Int]) throws(StorageError) {
    let connection = try PostgreSQLConnection(database)
    let moved = Array(sessions)
    var start = 0
    while start < moved.count {
      let part = moved[start..<min(start + 10_000, moved.count)]
      start = part.endIndex
      try connection.query(
        """
        INSERT INTO moved_sessions (id, slot) SELECT * FROM unnest($1::bytea[], $2::bigint[])
        ON CONFLICT (id) DO UPDATE SET slot = excluded.slot
        """,
        .byteStrings(part.map(\.key.bytes)),
        .integers(part.map(\.value))
      )
    }
  }

  // MARK: The lease

  /// Starts a thread that extends the lease every second, until ``close()``.
  ///
  /// - Parameters:
  ///   - hear: Called on that thread after each extension, with the members and owners. It must not
  ///     block.
  ///   - lose: Called on that thread if the database has forgotten this instance. An instance alone
  ///     must end then. Any other instance is registered again, without slots.
  /// - Throws: ``StorageError/failed(_:)`` if there is no thread.
  package func start(
    hear: @escaping @Sendable (ClusterView) -> Void,
    lose: @escaping @Sendable () -> Void
  ) throws(StorageError) {
    try PostgreSQLSystem.startThread { [self] in
      var connection: PostgreSQLConnection?
      var beats = 0
      while !isEnding.load(ordering: .acquiring) {
        if connection?.look() != true { connection = try? PostgreSQLConnection(database) }
        var pause = registration.lease.milliseconds / 5
        do throws(StorageError) {
          guard let connection else { throw .failed("there is no connection") }
          guard let view = try beat(connection) else {
            lose()
            if isAlone { return }
            try enterAnew(connection)
            continue
          }
          hear(view)
          if view.members.contains(where: \.isLeaving) { pause /= 10 }
          if beats % Self.beatsPerMeasurement == 0 {
            try measure(connection)
            try removeSilent(connection)
          }
          beats += 1
        } catch { connection = nil }
        PostgreSQLSystem.wait(for: waker, milliseconds: pause)
        PostgreSQLSystem.clear(waker)
      }
    }
  }

  /// The number of heartbeats from one measurement of the database to the next.
  private static let beatsPerMeasurement = 30

  private func measure(_ connection: PostgreSQLConnection) throws(StorageError) {
    let found = try connection.query("SELECT pg_database_size(current_database())")
    storedBytes.store(found.integer ?? -1, ordering: .relaxed)
  }

  /// Removes the instances without an extension for a minute, by this instance's clock.
  ///
  /// The clock of the database may have jumped, and others acquire the slots of a removed instance
  /// at once.
  private func removeSilent(_ connection: PostgreSQLConnection) throws(StorageError) {
    let silent = state.withLock { $0.watch.silent(for: 60_000, at: PostgreSQLLease.now) }
    guard !silent.isEmpty else { return }
    try connection.query(
      """
      DELETE FROM instances WHERE id IN (SELECT id FROM instances
      JOIN unnest($1::bigint[], $2::bigint[]) AS silent (number, last)
      ON id = number AND (extract(epoch FROM until) * 1000000)::bigint = last
      FOR UPDATE OF instances SKIP LOCKED)
      """,
      .integers(silent.map(\.id)),
      .integers(silent.map(\.until))
    )
  }

  private func enterAnew(_ connection: PostgreSQLConnection) throws(StorageError) {
    switch try registration.enter(connection, state.withLock { $0.watch }) {
    case .member(let member):
      state.withLock { ($0.member, $0.holds) = (member, []) }
    case .blocked: throw .failed("an instance that works alone is in the way")
    }
  }

  /// Extends the lease, and reads the members and the owners of slots.
  ///
  /// Lost slots are marked before the lease counts as extended.
  ///
  /// - Returns: Nil if the database has forgotten this instance.
  private func beat(_ connection: PostgreSQLConnection) throws(StorageError) -> ClusterView? {
    let start = PostgreSQLLease.now
    let member = state.withLock { $0.member }
    _ = connection.popWarnings()
    let outcome = try connection.pipeline([
      PostgreSQLStatement(
        """
        UPDATE instances SET until = clock_timestamp() + $2::bigint * interval '1 millisecond',
        is_leaving = $3::boolean WHERE id = $1::bigint RETURNING id
        """,
        .integer(member.id),
        .integer(registration.lease.milliseconds),
        .boolean(isLeaving.load(ordering: .acquiring))
      ),
      PostgreSQLStatement(
        """
        SELECT \(PostgreSQLRegistration.leaseColumns), address, is_leaving
        FROM instances ORDER BY id
        """
      ),
      PostgreSQLStatement("SELECT number, owner, term FROM slots ORDER BY number"),
    ])
    if let error = outcome.error { throw error }
    guard connection.popWarnings() == 0 else {
      throw .failed("the commit did not wait for the standby")
    }
    guard outcome.results[0].rowCount == 1 else {
      member.lose()
      return nil
    }
    let leases = outcome.results[1].rows.map(\.lease)
    let alive = state.withLock { $0.watch.record(leases, at: PostgreSQLLease.now) }
    let members = outcome.results[1].rows.map {
      ClusterView.Member(id: $0.integer(0), address: $0.text(3), isLeaving: $0.boolean(4))
    }
    let rows = outcome.results[2].rows.map { (owner: $0.integer(1), term: $0.integer(2)) }
    judge(rows)
    member.extend(until: start + registration.lease.ownMilliseconds)
    return ClusterView(
      id: member.id,
      members: members.filter { alive.contains($0.id) },
      owners: rows.map { alive.contains($0.owner) ? $0.owner : nil }
    )
  }

  /// Marks slots as lost that another instance has acquired since.
  ///
  /// A slot that this instance acquired after the rows were read has a higher term than in them.
  private func judge(_ rows: [(owner: Int, term: Int)]) {
    let holds = state.withLock { state in
      state.holds.removeAll { $0.isLost }
      return state.holds
    }
    for hold in holds where hold.slot < rows.count {
      let (owner, term) = rows[hold.slot]
      if term > hold.term || term == hold.term && owner != hold.member.id { hold.lose() }
    }
  }

  /// Announces that this instance releases its slots, so that others acquire them at once.
  package func leave() {
    isLeaving.store(true, ordering: .releasing)
    eventfd_write(waker, 1)
  }

  /// Ends the lease, so that others need not wait until it runs out.
  ///
  /// The storage of all slots must be closed before.
  package func close() {
    guard !isEnding.exchange(true, ordering: .acquiringAndReleasing) else { return }
    let member = state.withLock { $0.member }
    member.prepareEnd()
    eventfd_write(waker, 1)
    guard !member.isLost, let connection = try? PostgreSQLConnection(database, timeoutSeconds: 2)
    else { return }
    _ = try? connection.query("DELETE FROM instances WHERE id = $1::bigint", .integer(member.id))
    member.lose()
  }
}
