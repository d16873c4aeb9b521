internal import CPostgres
internal import TreeDomain

/// A connection to a database, used by one thread at a time.
///
/// Statements are prepared once and kept. No statement has a time limit, and none is cancelled: a
/// commit that is cancelled while it waits for a standby succeeds with a warning.
@safe
final class PostgreSQLConnection {
  private let handle: OpaquePointer
  /// The socket, which another thread may shut down.
  let socket: PostgreSQLSocket
  private let address: PostgreSQLAddress
  /// The schema in which statements look up tables.
  private var schema: String
  /// The names of the prepared statements of this schema, by their text.
  private var names: [String: String] = [:]
  /// The same for other schemas, by schema.
  private var otherNames: [String: [String: String]] = [:]
  private var nameCount = 0
  /// True while a pipeline is running, and permanently after one that did not complete.
  private var isOutOfStep = false
  /// The timeline of the server; 0 if it is a standby.
  private var timeline = 0
  /// The code of the last error (SQLSTATE); empty if the connection was lost.
  private(set) var state = ""

  /// The time after which a dead network is detected: as long as an instance trusts its lease.
  private static let maxSilentMilliseconds = 4_000
  /// The time for which a server may accept no bytes of a large commit.
  private static let maxBusyMilliseconds = 20_000

  /// The settings of a connection.
  ///
  /// A commit waits for the disk, and for a standby if there is one. A server notices after some
  /// seconds that a machine is gone, and frees its locks.
  private static let settings = """
    SET statement_timeout = 0;
    SET lock_timeout = 0;
    SET idle_in_transaction_session_timeout = 0;
    SET default_transaction_isolation = 'read committed';
    SET client_min_messages = warning;
    SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 1; SET tcp_keepalives_count = 3;
    SELECT set_config('synchronous_commit', 'on', false)
      WHERE current_setting('synchronous_commit') IN ('off', 'local', 'remote_write')
    """

  /// Connects to the database.
  ///
  /// - Parameters:
  ///   - address: The database.
  ///   - schema: The schema in which statements look up tables.
  ///   - timeoutSeconds: The maximum time for connecting.
  ///   - isWriting: True if commits are sent. A server may then accept no bytes for longer.
  /// - Throws: ``StorageError/failed(_:)``.
  init(
    _ address: PostgreSQLAddress,
    schema: String = PostgreSQLSchema.base,
    timeoutSeconds: Int = 5,
    isWriting: Bool = false
  ) throws(StorageError) {
    let userTimeout = isWriting ? Self.maxBusyMilliseconds : Self.maxSilentMilliseconds
    let opened = unsafe cpostgres_connect(address.uri, "\(timeoutSeconds)", "\(userTimeout)")
    guard let opened = unsafe opened else {
      throw .failed("there is no memory for a connection")
    }
    unsafe handle = opened
    socket = PostgreSQLSocket(copying: unsafe cpostgres_socket(opened))
    self.address = address
    self.schema = schema
    guard isUsable else { throw failure }
    try run("SET search_path = \(schema);\n\(Self.settings)")
    timeline = try query(PostgreSQLTimeline.question).integer ?? 0
    _ = popWarnings()
    if timeline > 0 { try address.timeline.check(timeline) }
  }

  deinit { unsafe cpostgres_close(handle) }

  /// Switches to a schema, in which later statements look up tables.
  ///
  /// Statements that were prepared in it before are used again.
  func enter(_ schema: String) throws(StorageError) {
    guard schema != self.schema else { return }
    try run("SET search_path = \(schema)")
    otherNames[self.schema] = names
    names = otherNames[schema] ?? [:]
    self.schema = schema
  }

  /// True unless the connection is known to be lost, or results of a pipeline may still come.
  var isUsable: Bool { isConnected && !isOutOfStep }

  private var isConnected: Bool { unsafe cpostgres_is_usable(handle) == 1 }

  /// Reads what has arrived; returns false if the connection is lost, or its server was replaced.
  func look() -> Bool {
    unsafe cpostgres_look(handle) == 1 && isUsable && !address.timeline.isOver(timeline)
  }

  /// Returns the number of warnings since the last call.
  func popWarnings() -> Int { Int(unsafe cpostgres_take_warnings(handle)) }

  /// Runs statements without parameters.
  func run(_ sql: String) throws(StorageError) {
    guard let result = unsafe cpostgres_run(handle, sql) else { throw failure }
    try check(unsafe PostgreSQLResult(result))
  }

  /// Begins a transaction whose locks make other instances wait.
  ///
  /// The database rolls it back if this process is stopped for 5 seconds between two statements.
  func beginBriefly() throws(StorageError) {
    try run("BEGIN; SET LOCAL idle_in_transaction_session_timeout = '5s'")
  }

  /// Runs one statement.
  ///
  /// - Returns: Its rows.
  @discardableResult
  func query(_ sql: String, _ values: PostgreSQLValue...) throws(StorageError) -> PostgreSQLResult {
    try query(PostgreSQLStatement(sql, values: values))
  }

  /// Runs one statement.
  ///
  /// - Returns: Its rows.
  func query(_ statement: PostgreSQLStatement) throws(StorageError) -> PostgreSQLResult {
    let outcome = try pipeline([statement])
    if let error = outcome.error { throw error }
    return outcome.results[0]
  }

  /// The outcome of statements that were sent together.
  struct Outcome {
    /// The results up to the first error.
    var results: [PostgreSQLResult] = []
    var error: StorageError?
  }

  /// Sends statements together, and then waits for their results.
  ///
  /// - Returns: The results, and the first error. ``isUsable`` is false if the connection was lost.
  /// - Throws: ``StorageError`` if nothing was sent.
  func pipeline(_ statements: [PostgreSQLStatement]) throws(StorageError) -> Outcome {
    for statement in statements where names[statement.sql] == nil { try prepare(statement.sql) }
    guard unsafe cpostgres_begin_pipeline(handle) == 0 else { throw failure }
    isOutOfStep = true
    var outcome = Outcome()
    for statement in statements where outcome.error == nil {
      if !send(statement) { outcome.error = failure }
    }
    if unsafe cpostgres_sync(handle) != 0 { outcome.error = outcome.error ?? failure }
    guard outcome.error == nil else { return outcome }
    for _ in statements { receive(into: &outcome) }
    let isAtEnd = next()?.isSync == true
    if isAtEnd, unsafe cpostgres_end_pipeline(handle) == 0 {
      isOutOfStep = false
    } else {
      outcome.error = outcome.error ?? failure
    }
    return outcome
  }

  private func prepare(_ sql: String) throws(StorageError) {
    let name = "s\(nameCount)"
    nameCount += 1
    guard let result = unsafe cpostgres_prepare(handle, name, sql) else { throw failure }
    try check(unsafe PostgreSQLResult(result))
    names[sql] = name
  }

  private func send(_ statement: PostgreSQLStatement) -> Bool {
    guard let name = names[statement.sql] else { return false }
    let values = PostgreSQLParameters(statement.values)
    let count = Int32(values.lengths.count)
    return unsafe cpostgres_send(handle, name, count, values.bytes, values.lengths) == 0
  }

  /// Receives the result of the next statement.
  private func receive(into outcome: inout Outcome) {
    guard let result = next() else {
      outcome.error = outcome.error ?? failure
      return
    }
    if outcome.error == nil {
      if result.isDone { outcome.results.append(result) } else { outcome.error = error(of: result) }
    }
    while next() != nil {}
  }

  private func next() -> PostgreSQLResult? {
    guard let result = unsafe cpostgres_next(handle) else { return nil }
    return unsafe PostgreSQLResult(result)
  }

  private func check(_ result: PostgreSQLResult) throws(StorageError) {
    if !result.isDone { throw error(of: result) }
  }

  /// The error for the state of the connection.
  private var failure: StorageError {
    state = ""
    let message = unsafe String(cString: cpostgres_message(handle))
    return .failed(address.clean(message.isEmpty ? "the connection was lost" : message))
  }

  /// Returns the error for a result (postgresql.org/docs/15/errcodes-appendix.html).
  private func error(of result: PostgreSQLResult) -> StorageError {
    guard isConnected, !result.state.isEmpty else { return failure }
    state = result.state
    let message = address.clean(result.message)
    switch state {
    case "53100": return .full(message)
    case "54000": return .refused(message)
    // The tables and columns are the same for every database of the format.
    case "42P01", "42703", "3F000":
      return .damaged("the tables are not as they were made (\(message))")
    case _ where state.hasPrefix("23"), _ where state.hasPrefix("22"): return .refused(message)
    case _ where state.hasPrefix("XX0"): return .damaged(message)
    default: return .failed(message)
    }
  }
}
