internal import CSQLite

/// A compiled statement of a connection.
///
/// While it runs, the columns are those of its current row.
@safe
struct SQLiteStatement {
  private let handle: OpaquePointer

  init(_ handle: OpaquePointer) { unsafe self.handle = handle }

  /// Destroys the statement, which must not be used afterwards.
  func finalize() { _ = unsafe sqlite3_finalize(handle) }

  /// Sets a parameter, counted from 1.
  ///
  /// Returns a result code.
  func bind(_ value: SQLiteValue, at index: Int32) -> Int32 {
    switch value {
    case .integer(let number): unsafe sqlite3_bind_int64(handle, index, Int64(number))
    case .bytes(let bytes):
      unsafe bytes.withUnsafeBytes { buffer in
        unsafe csqlite_bind_bytes(handle, index, buffer.baseAddress, UInt64(buffer.count))
      }
    case .null: unsafe sqlite3_bind_null(handle, index)
    }
  }

  /// Advances to the next row.
  ///
  /// Returns a result code.
  func step() -> Int32 { unsafe sqlite3_step(handle) }

  /// Resets the statement for the next run, and releases its parameters.
  func reset() {
    _ = unsafe sqlite3_reset(handle)
    _ = unsafe sqlite3_clear_bindings(handle)
  }

  /// Returns a column as an integer; 0 if it is null.
  func integer(_ column: Int32) -> Int { Int(unsafe sqlite3_column_int64(handle, column)) }

  /// Returns a column as a Boolean value.
  func boolean(_ column: Int32) -> Bool { integer(column) != 0 }

  /// Returns a copy of a column's bytes; empty if it is null.
  func bytes(_ column: Int32) -> [UInt8] {
    let start = unsafe sqlite3_column_blob(handle, column)
    let count = Int(unsafe sqlite3_column_bytes(handle, column))
    return unsafe Array(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
  }

  /// Returns a column as text.
  func text(_ column: Int32) -> String { String(decoding: bytes(column), as: UTF8.self) }
}

/// A value of a statement's parameter.
enum SQLiteValue {
  case integer(Int)
  case bytes([UInt8])
  case null

  static func boolean(_ value: Bool) -> SQLiteValue { .integer(value ? 1 : 0) }
}
