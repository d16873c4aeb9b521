import CSQLite

/// SQLite alone, to measure what a disk and a database need to store rows of 200 bytes.
@safe
struct RawDatabase: ~Copyable {
  static let fileName = "raw.sqlite"
  /// The name of a second database file.
  static let otherFileName = "bare.sqlite"
  private let handle: OpaquePointer
  private let insertion: OpaquePointer
  private let begin: OpaquePointer
  private let commit: OpaquePointer
  private static let rowBytes = 200
  /// The bytes of the maximum number of rows that are combined into one.
  private let bytes = [UInt8](repeating: 0x61, count: 64 * RawDatabase.rowBytes)

  /// Makes a database in write-ahead mode whose commits wait for the disk.
  init(in folder: borrowing ScratchFolder, as name: String = RawDatabase.fileName) {
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    let path = "\(folder.path)/\(name)"
    let code = unsafe sqlite3_open_v2(path, &opened, flags, nil)
    guard code == SQLITE_OK, let opened = unsafe opened else {
      preconditionFailure("a benchmark's database does not open: \(code)")
    }
    unsafe handle = opened
    for pragma in ["journal_mode=WAL", "synchronous=FULL"] {
      unsafe sqlite3_exec(opened, "PRAGMA \(pragma)", nil, nil, nil)
    }
    unsafe sqlite3_exec(opened, "CREATE TABLE rows (id INTEGER PRIMARY KEY, b BLOB)", nil, nil, nil)
    unsafe insertion = Self.prepare("INSERT INTO rows (b) VALUES (?)", opened)
    unsafe begin = Self.prepare("BEGIN IMMEDIATE", opened)
    unsafe commit = Self.prepare("COMMIT", opened)
  }

  deinit {
    unsafe sqlite3_finalize(insertion)
    unsafe sqlite3_finalize(begin)
    unsafe sqlite3_finalize(commit)
    unsafe sqlite3_close_v2(handle)
  }

  /// Inserts rows in one transaction.
  func insert(_ count: Int) {
    if count > 1 { unsafe run(begin) }
    for _ in 0..<count { insert(together: 1) }
    if count > 1 { unsafe run(commit) }
  }

  /// Inserts one row with the bytes of `count` rows, at most 64.
  func insert(together count: Int) {
    unsafe bytes.withUnsafeBytes { bytes in
      let size = UInt64(count * Self.rowBytes)
      _ = unsafe csqlite_bind_bytes(insertion, 1, bytes.baseAddress, size)
    }
    unsafe run(insertion)
  }

  /// The number of rows.
  var rowCount: Int { Int(unsafe sqlite3_last_insert_rowid(handle)) }

  private func run(_ statement: OpaquePointer) {
    let code = unsafe sqlite3_step(statement)
    precondition(code == SQLITE_DONE, "a benchmark's database refuses: \(code)")
    unsafe sqlite3_reset(statement)
  }

  private static func prepare(_ sql: String, _ handle: OpaquePointer) -> OpaquePointer {
    var statement: OpaquePointer?
    unsafe sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
    guard let statement = unsafe statement else { preconditionFailure("not SQL: \(sql)") }
    return unsafe statement
  }
}
