/// Where a request belongs in a trace that its client began (W3C Trace Context, 3.2.2).
public struct TraceContext: Equatable, Sendable {
  /// The id of the trace: 32 hexadecimal digits.
  public let trace: [UInt8]
  /// The id of the span that sent the request: 16 hexadecimal digits.
  public let span: [UInt8]

  /// Reads the value of `traceparent`: `00-<trace>-<span>-<flags>`, or that of a later version,
  /// which may go on after a dash.
  ///
  /// - Returns: Nil for what is to be ignored: another form, digits in capitals, version `ff`, ids
  ///   that are all zeros.
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
