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
      text.append(bytesOf: Self.digits(of: UInt32(truncatingIfNeeded: number &>> 32)))
      text.append(bytesOf: Self.digits(of: UInt32(truncatingIfNeeded: number)))
    }
  }

  /// Eight hexadecimal digits, the first one lowest: halves are spread to twice their room, all of
  /// them at once, until each digit has a byte.
  private static func digits(of number: UInt32) -> UInt64 {
    var word = UInt64(number)
    word = (word & 0xFFFF_0000) &<< 16 | word & 0xFFFF
    word = (word & 0x0000_FF00_0000_FF00) &<< 8 | word & 0x0000_00FF_0000_00FF
    word = (word & 0x00F0_00F0_00F0_00F0) &<< 4 | word & 0x000F_000F_000F_000F
    let ones: UInt64 = 0x0101_0101_0101_0101
    let letters = (word &+ 6 &* ones) &>> 4 & ones
    let distance = UInt64(UInt8(ascii: "a") - UInt8(ascii: "0") - 10)
    return (word &+ ones &* UInt64(UInt8(ascii: "0")) &+ letters &* distance).byteSwapped
  }

  /// The same behind other bytes.
  func append(to bytes: inout [UInt8]) {
    bytes.append(addingCapacity: count) { append(to: &$0) }
  }
}
