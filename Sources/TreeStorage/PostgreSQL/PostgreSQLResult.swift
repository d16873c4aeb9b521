internal import CPostgres

/// The answer to a statement: its rows, in binary.
@safe
final class PostgreSQLResult {
  private let handle: OpaquePointer

  init(_ handle: OpaquePointer) { unsafe self.handle = handle }

  deinit { unsafe cpostgres_clear(handle) }

  /// The number of rows.
  var rowCount: Int { Int(unsafe cpostgres_rows(handle)) }

  /// The rows.
  var rows: [PostgreSQLRow] { (0..<rowCount).map { PostgreSQLRow(self, Int32($0)) } }

  /// The first value of the first row as an integer; nil if there is no row or it is NULL.
  var integer: Int? {
    guard let row = rows.first, !row.isNull(0) else { return nil }
    return row.integer(0)
  }

  /// True if the statement succeeded.
  var isDone: Bool {
    let status = Int(unsafe cpostgres_status(handle))
    return status == CPOSTGRES_COMMAND_OK || status == CPOSTGRES_TUPLES_OK
  }

  /// True if it is the end of a pipeline.
  var isSync: Bool { Int(unsafe cpostgres_status(handle)) == CPOSTGRES_PIPELINE_SYNC }

  /// The code of an error (SQLSTATE); empty if there is none.
  var state: String { unsafe String(cString: cpostgres_state(handle)) }

  /// The message of an error.
  var message: String { unsafe String(cString: cpostgres_error(handle)) }

  /// The command tag, which names the command that was run.
  var tag: String { unsafe String(cString: cpostgres_tag(handle)) }

  func isNull(_ row: Int32, _ column: Int32) -> Bool {
    unsafe cpostgres_length(handle, row, column) < 0
  }

  func bytes(_ row: Int32, _ column: Int32) -> [UInt8] {
    let count = Int(unsafe cpostgres_length(handle, row, column))
    guard count > 0, let start = unsafe cpostgres_value(handle, row, column) else { return [] }
    return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
  }

  /// A value as an integer of any width, with its sign; 0 for NULL.
  func integer(_ row: Int32, _ column: Int32) -> Int {
    let count = Int(unsafe cpostgres_length(handle, row, column))
    guard count > 0, let start = unsafe cpostgres_value(handle, row, column) else { return 0 }
    let bytes = unsafe UnsafeRawBufferPointer(start: start, count: count)
    let isNegative = unsafe bytes[0] >= 0x80
    return unsafe bytes.reduce(isNegative ? -1 : 0) { $0 << 8 | Int($1) }
  }
}

/// A row of a result.
struct PostgreSQLRow {
  private let result: PostgreSQLResult
  private let row: Int32

  init(_ result: PostgreSQLResult, _ row: Int32) {
    self.result = result
    self.row = row
  }

  /// Returns true if a column, counted from 0, is NULL.
  func isNull(_ column: Int32) -> Bool { result.isNull(row, column) }

  /// Returns a column as an integer; 0 for NULL.
  func integer(_ column: Int32) -> Int { result.integer(row, column) }

  /// Returns a column as a Boolean value; false for NULL.
  func boolean(_ column: Int32) -> Bool { integer(column) != 0 }

  /// Returns a column as bytes.
  func bytes(_ column: Int32) -> [UInt8] { result.bytes(row, column) }

  /// Returns a column as text.
  func text(_ column: Int32) -> String { String(decoding: bytes(column), as: UTF8.self) }
}
