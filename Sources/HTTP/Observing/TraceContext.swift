/// The position of a request in a trace that its client began (W3C Trace Context, 3.2.2).
package struct TraceContext: Equatable, Sendable {
  /// The trace id: 32 hexadecimal digits.
  package let trace: [UInt8]
  /// The id of the client's span: 16 hexadecimal digits.
  package let span: [UInt8]

  /// Parses the value of `traceparent`: `00-<trace>-<span>-<flags>`.
  ///
  /// A later version may have more fields after another dash.
  ///
  /// - Returns: Nil if the value must be ignored: another form, upper-case digits, version `ff`, or
  ///   an id of zeros only.
  init?(_ value: ArraySlice<UInt8>) {
    let bytes = Array(value)
    guard bytes.count >= 55, [2, 35, 52].allSatisfy({ bytes[$0] == UInt8(ascii: "-") }) else {
      return nil
    }
    let parts = [bytes[..<2], bytes[3..<35], bytes[36..<52], bytes[53..<55]]
    guard parts.allSatisfy({ $0.allSatisfy(Self.isDigit) }), !parts[0].elementsEqual("ff".utf8)
    else { return nil }
    if bytes.count > 55 {
      guard !parts[0].elementsEqual("00".utf8), bytes[55] == UInt8(ascii: "-") else { return nil }
    }
    guard parts[1...2].allSatisfy({ $0.contains { $0 != UInt8(ascii: "0") } }) else { return nil }
    trace = Array(parts[1])
    span = Array(parts[2])
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    byte.isDigit || byte &- UInt8(ascii: "a") < 6
  }
}
