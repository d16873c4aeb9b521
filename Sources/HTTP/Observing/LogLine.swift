/// A writer of one JSON object on a line.
struct LogLine {
  private var bytes: [UInt8] = []

  init() { bytes.reserveCapacity(512) }

  /// Returns the line with its line feed.
  consuming func finish() -> [UInt8] {
    bytes.append("}\n")
    return bytes
  }

  /// Appends a member with the value `null`.
  mutating func addNull(_ name: StaticString) {
    begin(name)
    bytes.append("null")
  }

  /// Appends a string member.
  ///
  /// The text may be any bytes.
  mutating func add(_ name: StaticString, text: Span<UInt8>) {
    begin(name)
    bytes.append(UInt8(ascii: "\""))
    add(text)
    bytes.append(UInt8(ascii: "\""))
  }

  /// Appends a number member, or `null` if there is no number.
  mutating func add(_ name: StaticString, _ number: Int?) {
    guard let number else { return addNull(name) }
    begin(name)
    bytes.append(decimal: number)
  }

  /// Appends a number member, given in thousandths and written with three decimals.
  mutating func add(_ name: StaticString, thousandths: Int) {
    begin(name)
    let (whole, rest) = thousandths.quotientAndRemainder(dividingBy: 1_000)
    bytes.append(decimal: whole)
    bytes.append(UInt8(ascii: "."))
    bytes.append(decimal: rest, digits: 3)
  }

  /// Appends a Boolean member.
  mutating func add(_ name: StaticString, _ flag: Bool) {
    begin(name)
    bytes.append(flag ? "true" : "false")
  }

  /// Appends the bytes of a string, copying runs that need no escapes.
  private mutating func add(_ text: Span<UInt8>) {
    var start = 0
    for place in text.indices where text[place].isEscapedInLog {
      bytes.append(text.extracting(start..<place))
      bytes.append(json: text[place], isText: false)
      start = place + 1
    }
    bytes.append(text.extracting(start...))
  }

  private mutating func begin(_ name: StaticString) {
    let isFirst = bytes.isEmpty
    bytes.append(addingCapacity: name.utf8CodeUnitCount + 4) { line in
      line.append(isFirst ? "{\"" : ",\"")
      line.append(name)
      line.append("\":")
    }
  }
}

extension UInt8 {
  /// True if the byte must be escaped in a string of arbitrary bytes.
  fileprivate var isEscapedInLog: Bool {
    self &- 0x20 >= 0x5F || self == UInt8(ascii: "\"") || self == UInt8(ascii: "\\")
  }
}

extension Array where Element == UInt8 {
  fileprivate mutating func append(_ text: Span<UInt8>) {
    append(addingCapacity: text.count) { $0.append(text) }
  }
}

/// Formats times for logs.
enum Timestamp {
  /// Returns a time in UTC with milliseconds, such as `1994-11-06T08:49:37.000Z` (RFC 3339, 5.6).
  static func rfc3339(unixMilliseconds: Int) -> [UInt8] {
    let (seconds, milliseconds) = unixMilliseconds.quotientAndRemainder(dividingBy: 1_000)
    let (days, second) = seconds.quotientAndRemainder(dividingBy: 86_400)
    let date = DateStamp.civilDate(daysSince1970: days)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(24)
    func append(_ number: Int, _ digits: Int, _ end: Unicode.Scalar) {
      bytes.append(decimal: number, digits: digits)
      bytes.append(UInt8(ascii: end))
    }
    append(date.year, 4, "-")
    append(date.month, 2, "-")
    append(date.day, 2, "T")
    append(second / 3_600, 2, ":")
    append(second / 60 % 60, 2, ":")
    append(second % 60, 2, ".")
    append(milliseconds, 3, "Z")
    return bytes
  }
}
