/// Writes one object of JSON on a line of its own.
struct LogLine {
  private var bytes: [UInt8] = []

  init() {
    bytes.reserveCapacity(384)
    bytes.append(UInt8(ascii: "{"))
  }

  /// The line with its end.
  consuming func finish() -> [UInt8] {
    bytes.append(contentsOf: "}\n".utf8)
    return bytes
  }

  /// Adds a member; null if there is no text.
  mutating func add(_ name: StaticString, text: (some Sequence<UInt8>)?) {
    begin(name)
    guard let text else { return bytes.append(contentsOf: "null".utf8) }
    bytes.append(UInt8(ascii: "\""))
    for byte in text { bytes.append(json: byte, isText: false) }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Adds a member; null if there is no number.
  mutating func add(_ name: StaticString, _ number: Int?) {
    begin(name)
    bytes.append(contentsOf: (number.map { String($0) } ?? "null").utf8)
  }

  /// Adds a member that is so many thousandths.
  mutating func add(_ name: StaticString, thousandths: Int) {
    begin(name)
    let (whole, rest) = thousandths.quotientAndRemainder(dividingBy: 1_000)
    let digits = String(1_000 + rest).dropFirst()
    bytes.append(contentsOf: "\(whole).\(digits)".utf8)
  }

  /// Adds a member that is true or false.
  mutating func add(_ name: StaticString, _ flag: Bool) {
    begin(name)
    bytes.append(contentsOf: (flag ? "true" : "false").utf8)
  }

  private mutating func begin(_ name: StaticString) {
    if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
    bytes.append(contentsOf: "\"\(name)\":".utf8)
  }
}
