internal import CSQLite
internal import Glibc
internal import TreeDomain

/// A connection to a database file, used by one thread at a time.
///
/// Statements are compiled once and kept.
@safe
struct SQLiteConnection: ~Copyable {
  private let handle: OpaquePointer
  private var statements: [String: SQLiteStatement] = [:]
  /// The statement that was run last, which often is the next one, too.
  private var last: (sql: String, statement: SQLiteStatement)?
  /// The format of the file, as far as anybody has looked; 0 of a new one.
  var format = Self.formatVersion
  /// What has arrived, as far as it was read by one who reads only.
  var arrivals = Arrivals()
  /// The same for the one who writes, of whom nothing has to be read.
  var arriving = ArrivingEntries()
  /// The number of the last row of `bundles`, as far as anybody has looked or written.
  var newestBundle = 0
  /// The generation that is shown and not stored yet, as there was no room for it.
  var pendingGeneration: StoredGeneration?
  /// The pages that do not count any more.
  private var pagesBefore = 0

  /// What a connection may do.
  enum Access {
    case reading
    case writing
    /// Reading what nobody can write to: no locks are taken, no files are made beside it.
    case readingImmutable
  }

  /// Opens a file; it is made where it does not exist and is to be written.
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
    // Somebody who takes a backup may hold it for a moment.
    waitForOthers(milliseconds: 10_000)
  }

  deinit {
    for statement in statements.values { statement.finalize() }
    _ = unsafe sqlite3_close_v2(handle)
  }

  /// A path as one that is not taken for a URI, `file:…`, nor for a database in memory, `:memory:`.
  static func plainName(_ path: String) -> String {
    path.hasPrefix("/") ? path : "./" + path
  }

  /// The URI of a file that does not change (sqlite.org/uri.html, 3.3).
  private static func immutableName(_ path: String) -> String {
    // Percent-encoded but for the slashes: what may mean something else in a URI and what may not.
    let bytes = path.utf8.map { byte -> String in
      if byte == UInt8(ascii: "/") { return "/" }
      let digits = String(byte, radix: 16)
      return "%" + String(repeating: "0", count: 2 - digits.count) + digits
    }
    return "file:\(bytes.joined())?immutable=1"
  }

  /// For how long to wait for other processes that hold the file.
  func waitForOthers(milliseconds: Int32) {
    _ = unsafe sqlite3_busy_timeout(handle, milliseconds)
  }

  /// Does what one statement says, and leaves out what it returns.
  mutating func run(_ sql: String, _ values: SQLiteValue...) throws(StorageError) {
    let statement = try prepare(sql)
    defer { statement.reset() }
    try bind(values, to: statement)
    while try step(statement) {}
  }

  /// Reads what one statement returns, a row at a time.
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

  /// Goes through what one statement returns, a row at a time, until `visit` says false.
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

  /// Counts the pages written to the log since it was set to 0.
  var writtenPages: Int {
    get {
      var count: Int32 = 0
      var most: Int32 = 0
      _ = unsafe sqlite3_db_status(handle, SQLITE_DBSTATUS_CACHE_WRITE, &count, &most, 0)
      return Int(count) - pagesBefore
    }
    set { pagesBefore += writtenPages - newValue }
  }

  /// Waits until what was written to the file, and not to the log, is on disk.
  ///
  /// By SQLite's own handle: to open the file once more, and to close it, would give up the locks
  /// that this process has on it (sqlite.org/howtocorrupt.html, section 2.2).
  ///
  /// - Returns: Whether it is.
  func syncFile() -> Bool {
    var file: UnsafeMutablePointer<sqlite3_file>?
    let code = unsafe sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file)
    guard code == SQLITE_OK, let file = unsafe file else { return false }
    return unsafe file.pointee.pMethods?.pointee.xSync?(file, SQLITE_SYNC_NORMAL) == SQLITE_OK
  }

  /// Has the log stay as it is when this connection is closed.
  func leaveLog() { _ = unsafe csqlite_leave_log(handle) }

  /// The number of the row that was inserted last.
  var lastRow: Int { Int(unsafe sqlite3_last_insert_rowid(handle)) }

  /// How many rows the last statement changed.
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
    // SQLite does not keep what the system said when a commit failed (sqlite3_system_errno).
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
      // It is the same text for every file of the format: where it names what is not there, the
      // tables are not those that were made.
      guard code & 0xff == SQLITE_ERROR else { throw error }
      throw .damaged("the tables are not as they were made (\(error.reason))")
    }
    let statement = unsafe SQLiteStatement(prepared)
    statements[sql] = statement
    last = (sql, statement)
    return statement
  }

  /// What a result code means to us, and what SQLite says about it.
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

  /// Whether an error number of the system says that there is no room.
  private static func isForWantOfRoom(_ number: Int32) -> Bool {
    [ENOSPC, EDQUOT, EFBIG].contains(number)
  }
}
