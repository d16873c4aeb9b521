/// Writes one object of JSON on a line of its own.
struct LogLine {
  private var bytes: [UInt8] = []

  init() { bytes.reserveCapacity(512) }

  /// The line with its end.
  consuming func finish() -> [UInt8] {
    bytes.append("}\n")
    return bytes
  }

  /// Adds a member of which nothing is known.
  mutating func addNull(_ name: StaticString) {
    begin(name)
    bytes.append("null")
  }

  /// Adds a member; the text may be of any bytes.
  mutating func add(_ name: StaticString, text: Span<UInt8>) {
    begin(name)
    bytes.append(UInt8(ascii: "\""))
    add(text)
    bytes.append(UInt8(ascii: "\""))
  }

  /// Adds a member; null if there is no number.
  mutating func add(_ name: StaticString, _ number: Int?) {
    guard let number else { return addNull(name) }
    begin(name)
    bytes.append(decimal: number)
  }

  /// Adds a member that is so many thousandths.
  mutating func add(_ name: StaticString, thousandths: Int) {
    begin(name)
    let (whole, rest) = thousandths.quotientAndRemainder(dividingBy: 1_000)
    bytes.append(decimal: whole)
    bytes.append(UInt8(ascii: "."))
    bytes.append(decimal: rest, digits: 3)
  }

  /// Adds a member that is true or false.
  mutating func add(_ name: StaticString, _ flag: Bool) {
    begin(name)
    bytes.append(flag ? "true" : "false")
  }

  /// Adds bytes of a text: most have nothing that is to be escaped.
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
  /// Whether it does not stand for itself in a text that may be of any bytes.
  fileprivate var isEscapedInLog: Bool {
    self &- 0x20 >= 0x5F || self == UInt8(ascii: "\"") || self == UInt8(ascii: "\\")
  }
}

extension Array where Element == UInt8 {
  fileprivate mutating func append(_ text: Span<UInt8>) {
    append(addingCapacity: text.count) { $0.append(text) }
  }
}
