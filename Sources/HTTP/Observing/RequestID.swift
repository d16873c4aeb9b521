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

  /// Appends it as it is sent: one that was made has 16 hexadecimal digits.
  func append(to bytes: inout [UInt8]) {
    switch self {
    case .given(let text): bytes.append(contentsOf: text)
    case .made(let number):
      let start = bytes.count
      bytes.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: 16))
      var digits = bytes.mutableSpan
      var rest = number
      for place in (start..<start + 16).reversed() {
        let digit = UInt8(truncatingIfNeeded: rest) & 15
        digits[place] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit
        rest >>= 4
      }
    }
  }
}
