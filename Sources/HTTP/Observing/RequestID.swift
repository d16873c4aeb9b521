/// The name of one request, by which its answer and its line in a log are found.
public enum RequestID: Equatable, Sendable {
  /// One that the server made.
  case made(UInt64)
  /// The one that the client gave: 1 to 128 visible characters of ASCII.
  case given([UInt8])

  /// The one a client gives as `X-Request-Id`; nil if it cannot be one.
  init?(_ value: ArraySlice<UInt8>) {
    guard 1...128 ~= value.count, value.allSatisfy({ 0x21...0x7E ~= $0 }) else { return nil }
    self = .given(Array(value))
  }

  /// How many bytes it has as it is sent.
  var count: Int {
    switch self {
    case .given(let text): text.count
    case .made: 16
    }
  }

  /// Appends it as it is sent: one that was made has 16 hexadecimal digits.
  func append(to text: inout OutputSpan<UInt8>) {
    switch self {
    case .given(let given): text.append(given.span)
    case .made(let number):
      for place in 1...16 {
        let digit = UInt8(truncatingIfNeeded: number &>> UInt64(64 &- 4 &* place)) & 15
        text.append(digit < 10 ? UInt8(ascii: "0") &+ digit : UInt8(ascii: "a") &- 10 &+ digit)
      }
    }
  }

  /// The same behind other bytes.
  func append(to bytes: inout [UInt8]) {
    bytes.append(addingCapacity: count) { append(to: &$0) }
  }
}
