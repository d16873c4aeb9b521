/// A value of a statement's parameter.
enum PostgreSQLValue {
  case integer(Int)
  case boolean(Bool)
  case bytes([UInt8])
  case text(String)
  case integers([Int])
  case byteStrings([[UInt8]])
  case null
}

/// A statement with its parameters.
///
/// The text gives each parameter its type, as in `$1::bigint`.
struct PostgreSQLStatement {
  let sql: String
  let values: [PostgreSQLValue]

  init(_ sql: String, _ values: PostgreSQLValue...) {
    self.sql = sql
    self.values = values
  }

  init(_ sql: String, values: [PostgreSQLValue]) {
    self.sql = sql
    self.values = values
  }
}

/// Parameters in the binary format of PostgreSQL, one behind another
/// (postgresql.org/docs/15/protocol-overview.html, section 55.1.3).
struct PostgreSQLParameters {
  private(set) var bytes: [UInt8] = []
  /// The length of each parameter in bytes; -1 for NULL.
  private(set) var lengths: [Int32] = []

  /// The numbers of the types of elements (pg_type.dat).
  private static let (bytea, bigint) = (Int32(17), Int32(20))

  init(_ values: [PostgreSQLValue]) {
    bytes.reserveCapacity(values.reduce(0) { $0 + $1.roomBytes })
    for value in values {
      let start = bytes.count
      add(value)
      if case .null = value {
        lengths.append(-1)
      } else {
        lengths.append(Int32(bytes.count - start))
      }
    }
  }

  private mutating func add(_ value: PostgreSQLValue) {
    switch value {
    case .integer(let number): add(Int64(number))
    case .boolean(let isTrue): bytes.append(isTrue ? 1 : 0)
    case .bytes(let content): bytes += content
    case .text(let text): bytes += text.utf8
    case .integers(let numbers):
      addHead(count: numbers.count, of: Self.bigint)
      for number in numbers {
        add(Int32(8))
        add(Int64(number))
      }
    case .byteStrings(let strings):
      addHead(count: strings.count, of: Self.bytea)
      for string in strings {
        add(Int32(string.count))
        bytes += string
      }
    case .null: break
    }
  }

  /// Adds the head of an array: the number of dimensions, 0 for no NULL, and the type.
  ///
  /// If the array is not empty, its length and the first index follow.
  private mutating func addHead(count: Int, of type: Int32) {
    add(Int32(count > 0 ? 1 : 0))
    add(Int32(0))
    add(type)
    guard count > 0 else { return }
    add(Int32(count))
    add(Int32(1))
  }

  private mutating func add<Number: FixedWidthInteger>(_ number: Number) {
    var place = Number.bitWidth
    while place > 0 {
      place -= 8
      bytes.append(UInt8(truncatingIfNeeded: number >> place))
    }
  }
}

extension PostgreSQLValue {
  /// The maximum number of bytes of its encoding.
  fileprivate var roomBytes: Int {
    switch self {
    case .integer, .boolean, .null: 8
    case .bytes(let bytes): bytes.count
    case .text(let text): text.utf8.count
    case .integers(let numbers): 20 + 12 * numbers.count
    case .byteStrings(let strings): strings.reduce(20) { $0 + 4 + $1.count }
    }
  }
}
