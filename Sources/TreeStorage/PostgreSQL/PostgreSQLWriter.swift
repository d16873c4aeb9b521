internal import Glibc
internal import TreeDomain

/// The writer of a slot: the connection that commits, and the known state of the database.
///
/// Each writer has a number, its fence, and a row in the table `writers`. A commit first sets its
/// number in that row, and fails if the row is closed. So the row contains the number of the last
/// commit that succeeded. An instance that closes the row waits for a running commit, or makes it
/// fail.
struct PostgreSQLWriter: ~Copyable {
  private let address: PostgreSQLAddress
  /// The slot to write to.
  private let hold: PostgreSQLHold
  private var connection: PostgreSQLConnection?
  private var fence: Int
  /// The number of the last commit that succeeded.
  private var commits = 0
  /// The trees that have this fence.
  private var acquired: Set<Int> = []
  /// The highest lost revision that is not recorded in the database yet.
  private var lost: Revision?

  private static let maxRetries = 10

  /// Creates the writer of an owner, with the connection on which the slot was acquired.
  init(
    _ address: PostgreSQLAddress,
    _ opened: PostgreSQLOpening.Opened,
    _ connection: sending PostgreSQLConnection
  ) {
    self.address = address
    self.connection = connection
    fence = opened.fence
    hold = opened.hold
    hold.use(connection.socket)
  }

  private var instance: Int { hold.member.id }
  private var schema: String { PostgreSQLSchema.name(ofSlot: hold.slot) }

  /// Commits changes.
  ///
  /// - Throws: ``StorageError``. Nothing was changed then.
  mutating func commit(_ changes: [StorageChange]) throws(StorageError) {
    try transact { (connection, writer) throws(StorageError) in
      let made = try PostgreSQLChanges(
        changes,
        fence: writer.fence,
        acquired: writer.acquired,
        connection
      )
      return Work(statements: made.statements, acquired: made.acquired)
    }
  }

  /// The statements of a transaction, and the trees that have the fence when they are done.
  struct Work {
    var statements: [PostgreSQLStatement]
    var acquired: Set<Int>?
  }

  /// Runs statements in one transaction, and commits it.
  mutating func commit(
    _ statements: (PostgreSQLConnection) throws(StorageError) -> [PostgreSQLStatement]
  ) throws(StorageError) {
    try transact { (connection, _) throws(StorageError) in
      Work(statements: try statements(connection))
    }
  }

  /// Records a lost revision in the database, now or with the next commit.
  mutating func record(lost revision: Revision) {
    lost = max(lost ?? revision, revision)
    // If the server cannot be reached, the next commit records it.
    guard connection?.look() == true else { return }
    try? commit { _ in [] }
  }

  /// Releases the slot, so that another instance can acquire it at once.
  mutating func release() {
    guard !hold.isLost, let connection, connection.look() else { return }
    try? connection.beginBriefly()
    _ = try? connection.query(
      """
      UPDATE \(PostgreSQLSchema.base).slots SET owner = 0
      WHERE number = $1::bigint AND owner = $2::bigint AND term = $3::bigint
      """,
      .integer(hold.slot),
      .integer(instance),
      .integer(hold.term)
    )
    _ = try? connection.query(
      "UPDATE writers SET is_closed = true WHERE fence = $1::bigint",
      .integer(fence)
    )
    try? connection.run("COMMIT")
    self.connection = nil
  }

  // MARK: One transaction

  /// Repeats a transaction until its outcome is known.
  private mutating func transact(
    _ make: (PostgreSQLConnection, borrowing PostgreSQLWriter) throws(StorageError) -> Work
  ) throws(StorageError) {
    var retries = 0
    var rest = 1
    while true {
      if hold.isLost { throw PostgreSQLHold.lostError }
      let connection = try usableConnection()
      let work: Work
      do throws(StorageError) { work = try make(connection, self) } catch {
        // Nothing was written up to now. The server may have restarted.
        guard !connection.isUsable, rest > 0 else { throw error }
        rest -= 1
        continue
      }
      switch try send(work, connection) {
      case .done:
        commits += 1
        lost = nil
        if let acquired = work.acquired { self.acquired = acquired }
        return
      case .refused(let error, let state):
        if state == Self.isFenced { hold.lose() }
        if hold.isLost { throw PostgreSQLHold.lostError }
        guard Self.transient.contains(state), retries < Self.maxRetries else { throw error }
        retries += 1
      case .unknown(let error):
        self.connection = nil
        if try resolve(after: error) { return }
      }
    }
  }

  private enum Fate {
    case done
    case refused(StorageError, state: String)
    case unknown(StorageError)
  }

  /// The code for a division by zero: the writer's row is closed, or a tree has another fence.
  private static let isFenced = "22012"
  /// The codes of failures that a retry may not meet again: a conflict, a deadlock.
  private static let transient = ["40001", "40P01"]

  /// Sends a whole transaction, and waits for its outcome.
  ///
  /// A commit with a warning is done, but perhaps not on the standby.
  private func send(
    _ work: Work,
    _ connection: PostgreSQLConnection
  ) throws(StorageError) -> Fate {
    var statements = [PostgreSQLStatement("BEGIN"), Self.mark(commits + 1, fence)]
    statements += work.statements
    if let lost {
      statements.append(
        PostgreSQLStatement(
          """
          INSERT INTO meta (key, value) VALUES ('loss', $1::bigint)
          ON CONFLICT (key) DO UPDATE SET value = greatest(meta.value, excluded.value)
          """,
          .integer(Int(lost.number))
        )
      )
    }
    statements.append(PostgreSQLStatement("COMMIT"))
    _ = connection.popWarnings()
    let outcome = try connection.pipeline(statements)
    let isCommitted = outcome.results.count == statements.count
    if isCommitted, outcome.results.last?.tag == "COMMIT" {
      guard connection.popWarnings() > 0 else { return .done }
      return .unknown(.failed("the commit did not wait for the standby"))
    }
    let error = outcome.error ?? .failed("the transaction was taken back")
    let state = connection.state
    guard connection.isUsable else { return .unknown(error) }
    do throws(StorageError) { try connection.run("ROLLBACK") } catch {
      return .unknown(error)
    }
    return .refused(error, state: state)
  }

  /// Returns the statement that counts a commit.
  ///
  /// It fails if the row of the writer is closed.
  private static func mark(_ number: Int, _ fence: Int) -> PostgreSQLStatement {
    PostgreSQLStatement(
      """
      WITH mine AS (UPDATE writers SET commits = $2::bigint
      WHERE fence = $1::bigint AND NOT is_closed RETURNING 1)
      SELECT 1 / (SELECT count(*) FROM mine)
      """,
      .integer(fence),
      .integer(number)
    )
  }

  // MARK: Connecting again

  private func connect() throws(StorageError) -> PostgreSQLConnection {
    let new = try PostgreSQLConnection(address, schema: schema, isWriting: true)
    hold.use(new.socket)
    return new
  }

  /// Returns the connection, or a new one if it is unusable.
  ///
  /// - Throws: ``StorageError`` if the server cannot be reached. Nothing was sent then.
  private mutating func usableConnection() throws(StorageError) -> PostgreSQLConnection {
    if let connection, connection.look() { return connection }
    connection = nil
    let new = try connect()
    guard try rejoin(new) == commits else { throw forget() }
    connection = new
    return new
  }

  /// Determines the outcome of a commit whose connection was lost, however long it takes.
  ///
  /// - Returns: True if the commit succeeded.
  /// - Throws: ``StorageError`` if the process ends meanwhile, or another instance has taken over.
  private mutating func resolve(after error: StorageError) throws(StorageError) -> Bool {
    var milliseconds = 50
    while true {
      do throws(StorageError) {
        let new = try connect()
        let known = try rejoin(new)
        guard known == commits || known == commits + 1 else { throw forget() }
        connection = new
        guard known == commits + 1 else { return false }
        commits = known
        lost = nil
        return true
      } catch {
        if hold.isLost { throw PostgreSQLHold.lostError }
      }
      if hold.isEnding { throw .failed("\(error.reason); what became of it is unknown") }
      usleep(UInt32(milliseconds) * 1_000)
      milliseconds = min(2 * milliseconds, 1_000)
    }
  }

  /// Closes the row of this writer, and continues under a new fence.
  ///
  /// A commit that is still running on a lost connection succeeds or fails before this returns.
  ///
  /// - Returns: The number of the last commit that succeeded.
  private mutating func rejoin(_ new: PostgreSQLConnection) throws(StorageError) -> Int {
    try new.beginBriefly()
    try PostgreSQLOpening.endCutOffWriters(new)
    let owner = try new.query(
      """
      SELECT owner, term FROM \(PostgreSQLSchema.base).slots
      WHERE number = $1::bigint FOR UPDATE
      """,
      .integer(hold.slot)
    ).rows.first
    try new.query(
      "UPDATE writers SET is_closed = true WHERE term = $1::bigint AND NOT is_closed",
      .integer(hold.term)
    )
    let known = try new.query(
      "SELECT max(commits) FROM writers WHERE term = $1::bigint",
      .integer(hold.term)
    )
    let done = known.integer ?? -1
    guard owner?.integer(0) == instance, owner?.integer(1) == hold.term else {
      try new.run("ROLLBACK")
      hold.lose()
      // The commit in doubt may have succeeded before.
      return done
    }
    let fence = try PostgreSQLOpening.addWriter(commits: done, term: hold.term, new)
    _ = new.popWarnings()
    try new.run("COMMIT")
    guard new.popWarnings() == 0 else { throw .failed("the commit did not wait for the standby") }
    self.fence = fence
    acquired = []
    return done
  }

  /// Ends the hold on the slot, because the database lacks a commit that succeeded.
  ///
  /// This happens if a standby that lacked it was promoted.
  private func forget() -> StorageError {
    hold.lose()
    return PostgreSQLHold.lostError
  }
}
