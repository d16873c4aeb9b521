internal import CSQLite

/// A compiled statement of a connection.
///
/// As long as it is run, its columns are those of the row it stands at.
@safe
struct SQLiteStatement {
  private let handle: OpaquePointer

  init(_ handle: OpaquePointer) { unsafe self.handle = handle }

  /// Gives the statement up; nothing else may be asked of it then.
  func finalize() { _ = unsafe sqlite3_finalize(handle) }

  /// Sets a parameter, counted from 1.
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

  /// Goes to the next row; returns a result code.
  func step() -> Int32 { unsafe sqlite3_step(handle) }

  /// Makes it ready to be run again, and lets go of its parameters.
  func reset() {
    _ = unsafe sqlite3_reset(handle)
    _ = unsafe sqlite3_clear_bindings(handle)
  }

  /// A column as an integer; 0 where it is null.
  func integer(_ column: Int32) -> Int { Int(unsafe sqlite3_column_int64(handle, column)) }

  /// A column as a truth value.
  func boolean(_ column: Int32) -> Bool { integer(column) != 0 }

  /// A column as bytes.
  func bytes(_ column: Int32) -> [UInt8] {
    let start = unsafe sqlite3_column_blob(handle, column)
    let count = Int(unsafe sqlite3_column_bytes(handle, column))
    return unsafe Array(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
  }

  /// A column as text.
  func text(_ column: Int32) -> String { String(decoding: bytes(column), as: UTF8.self) }
}

/// A value of a statement's parameter.
enum SQLiteValue {
  case integer(Int)
  case bytes([UInt8])
  case null

  static func boolean(_ value: Bool) -> SQLiteValue { .integer(value ? 1 : 0) }
}
