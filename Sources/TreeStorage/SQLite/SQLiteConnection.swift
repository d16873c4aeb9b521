internal import CSQLite
internal import Glibc
internal import TreeDomain

/// A connection to a database file, for one thread at a time.
///
/// Statements are compiled once and kept.
@safe
struct SQLiteConnection: ~Copyable {
  private let handle: OpaquePointer
  private var statements: [String: SQLiteStatement] = [:]
  /// The last statement, which is often the next one as well.
  private var last: (sql: String, statement: SQLiteStatement)?
  /// The entries in `bundles`, for a connection that only reads.
  var arrivals = Arrivals()
  /// The entries in `bundles`, for the connection that writes.
  var arriving = ArrivingEntries()
  /// The bodies of long entries, for the connection that writes.
  var longEntries = LongEntries()
  /// The number of the last row of `bundles`, once it was read or written.
  var newestBundle = 0
  /// The current generation, if it is not stored yet because there was no room.
  var pendingGeneration: StoredGeneration?
  /// The count of written pages at which ``writtenPages`` is 0.
  private var pagesBefore = 0

  /// The mode in which a connection opens the file.
  enum Access {
    case reading
    case writing
    /// Reading a file that nobody writes to, without locks or further files.
    case readingImmutable
  }

  /// Opens a file.
  ///
  /// Creates it if it does not exist and `access` is for writing.
  ///
  /// - Throws: ``StorageError``.
  init(_ path: String, _ access: Access) throws(StorageError) {
    var opened: OpaquePointer?
    let mode =
      switch access {
      case .reading: SQLITE_OPEN_READONLY
      case .writing: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      case .readingImmutable: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
      }
    let name =
      access == .readingImmutable ? Self.immutableName(path) : Self.plainName(path)
    // Each connection is guarded by a lock of ours.
    let flags = mode | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let code = unsafe sqlite3_open_v2(name, &opened, flags, nil)
    guard let opened = unsafe opened else { throw .failed("there is no memory for a database") }
    guard code == SQLITE_OK else {
      let error = unsafe Self.error(code, of: opened)
      _ = unsafe sqlite3_close_v2(opened)
      throw error
    }
    unsafe handle = opened
    // A backup may hold the file for a moment.
    waitForOthers(milliseconds: 10_000)
  }

  deinit {
    for statement in statements.values { statement.finalize() }
    _ = unsafe sqlite3_close_v2(handle)
  }

  /// Returns a path that SQLite does not take for a URI, `file:…`, or a database in memory,
  /// `:memory:`.
  static func plainName(_ path: String) -> String {
    path.hasPrefix("/") ? path : "./" + path
  }

  /// Returns the URI of a file that does not change (sqlite.org/uri.html, 3.3).
  private static func immutableName(_ path: String) -> String {
    // All bytes except slashes are percent-encoded, which a URI allows.
    let bytes = path.utf8.map { byte -> String in
      if byte == UInt8(ascii: "/") { return "/" }
      let digits = String(byte, radix: 16)
      return "%" + String(repeating: "0", count: 2 - digits.count) + digits
    }
    return "file:\(bytes.joined())?immutable=1"
  }

  /// Sets how long statements wait for other processes that lock the file.
  func waitForOthers(milliseconds: Int32) {
    _ = unsafe sqlite3_busy_timeout(handle, milliseconds)
  }

  /// Runs a statement, and ignores its rows.
  mutating func run(_ sql: String, _ values: SQLiteValue...) throws(StorageError) {
    let statement = try prepare(sql)
    defer { statement.reset() }
    try bind(values, to: statement)
    while try step(statement) {}
  }

  /// Runs a statement, and reads each of its rows.
  mutating func rows<Value>(
    _ sql: String,
    _ values: SQLiteValue...,
    read: (SQLiteStatement) throws(StorageError) -> Value
  ) throws(StorageError) -> [Value] {
    var rows: [Value] = []
    try visit(sql, values) { row throws(StorageError) in
      rows.append(try read(row))
      return true
    }
    return rows
  }

  /// Runs a statement, and visits its rows until `visit` returns false.
  mutating func visit(
    _ sql: String,
    _ values: [SQLiteValue],
    _ visit: (SQLiteStatement) throws(StorageError) -> Bool
  ) throws(StorageError) {
    let statement = try prepare(sql)
    defer { statement.reset() }
    try bind(values, to: statement)
    while try step(statement), try visit(statement) {}
  }

  /// Returns the value of a pragma that is a number.
  mutating func pragma(_ name: String) throws(StorageError) -> Int {
    try rows("PRAGMA \(name)") { $0.integer(0) }.first ?? 0
  }

  /// Makes commits of this connection wait until they are on disk.
  mutating func keepForGood() throws(StorageError) { try run("PRAGMA synchronous=FULL") }

  /// Returns the number of bytes of unused pages.
  ///
  /// SQLite uses these before the file grows.
  mutating func unusedBytes() throws(StorageError) -> Int {
    try pragma("freelist_count") * pragma("page_size")
  }

  /// The number of pages written to the log.
  ///
  /// Setting 0 starts the count again.
  var writtenPages: Int {
    get {
      var count: Int32 = 0
      var most: Int32 = 0
      _ = unsafe sqlite3_db_status(handle, SQLITE_DBSTATUS_CACHE_WRITE, &count, &most, 0)
      return Int(count) - pagesBefore
    }
    set { pagesBefore += writtenPages - newValue }
  }

  /// The state that a rollback restores.
  struct Savepoint {
    fileprivate let newestBundle: Int
    fileprivate let longEntries: LongEntries
    fileprivate let writtenPages: Int
  }

  /// The state before a transaction.
  var savepoint: Savepoint {
    Savepoint(newestBundle: newestBundle, longEntries: longEntries, writtenPages: writtenPages)
  }

  /// Restores the state from before a transaction that was rolled back.
  mutating func restore(_ savepoint: Savepoint) {
    arriving = ArrivingEntries()
    newestBundle = savepoint.newestBundle
    longEntries = savepoint.longEntries
    // Pages that were not committed are nothing to copy.
    writtenPages = savepoint.writtenPages
  }

  /// Syncs the database file, not its log.
  ///
  /// Uses SQLite's own file handle. To open and close the file once more would release the locks of
  /// this process (sqlite.org/howtocorrupt.html, section 2.2).
  ///
  /// - Returns: True if everything written to the file is on disk.
  func syncFile() -> Bool {
    var file: UnsafeMutablePointer<sqlite3_file>?
    let code = unsafe sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file)
    guard code == SQLITE_OK, let file = unsafe file else { return false }
    return unsafe file.pointee.pMethods?.pointee.xSync?(file, SQLITE_SYNC_NORMAL) == SQLITE_OK
  }

  /// Makes the next checkpoint copy the whole log again.
  func forgetCopies() { _ = unsafe csqlite_forget_copies(handle) }

  /// Makes SQLite keep the log when this connection is closed.
  func leaveLog() { _ = unsafe csqlite_leave_log(handle) }

  /// The number of the row that was inserted last.
  var lastRow: Int { Int(unsafe sqlite3_last_insert_rowid(handle)) }

  /// The number of rows that the last statement changed.
  var changeCount: Int { Int(unsafe sqlite3_changes64(handle)) }

  private func bind(
    _ values: [SQLiteValue],
    to statement: SQLiteStatement
  ) throws(StorageError) {
    for (index, value) in values.enumerated() {
      let code = statement.bind(value, at: Int32(index + 1))
      guard code == SQLITE_OK else { throw unsafe Self.error(code, of: handle) }
    }
  }

  private func step(_ statement: SQLiteStatement) throws(StorageError) -> Bool {
    // SQLite does not keep the system's error number when a commit fails (sqlite3_system_errno).
    errno = 0
    switch statement.step() {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw unsafe Self.error(code, of: handle)
    }
  }

  private mutating func prepare(_ sql: String) throws(StorageError) -> SQLiteStatement {
    if let last, last.sql == sql { return last.statement }
    if let known = statements[sql] {
      last = (sql, known)
      return known
    }
    var prepared: OpaquePointer?
    let code = unsafe sqlite3_prepare_v3(
      handle,
      sql,
      -1,
      UInt32(SQLITE_PREPARE_PERSISTENT),
      &prepared,
      nil
    )
    guard code == SQLITE_OK, let prepared = unsafe prepared else {
      let error = unsafe Self.error(code, of: handle)
      // The statement is valid in this format. If a name in it does not exist, the tables are
      // damaged.
      guard code & 0xff == SQLITE_ERROR else { throw error }
      throw .damaged("the tables are not as they were made (\(error.reason))")
    }
    let statement = unsafe SQLiteStatement(prepared)
    statements[sql] = statement
    last = (sql, statement)
    return statement
  }

  /// Returns the error for a result code, with SQLite's message.
  private static func error(_ code: Int32, of handle: OpaquePointer) -> StorageError {
    let errno = errno
    let message = unsafe String(cString: sqlite3_errmsg(handle))
    switch code & 0xff {
    case SQLITE_FULL: return .full(message)
    case SQLITE_IOERR where isForWantOfRoom(errno): return .full(message)
    case SQLITE_CORRUPT, SQLITE_NOTADB: return .damaged(message)
    case SQLITE_CONSTRAINT, SQLITE_TOOBIG: return .refused(message)
    default: return .failed(message)
    }
  }

  /// Returns true if an error number of the system means that there is no room.
  private static func isForWantOfRoom(_ number: Int32) -> Bool {
    [ENOSPC, EDQUOT, EFBIG].contains(number)
  }
}
