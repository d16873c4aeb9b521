/// The id of a request, which its response and its log line carry.
package enum RequestID: Equatable, Sendable {
  /// An id made by the server.
  case made(UInt64)
  /// An id given by the client: 1 to 128 visible ASCII characters.
  case given([UInt8])

  /// Creates the id in a value of `X-Request-Id`, or nil if it is not valid.
  init?(_ value: ArraySlice<UInt8>) {
    guard 1...128 ~= value.count, value.allSatisfy({ 0x21...0x7E ~= $0 }) else { return nil }
    self = .given(Array(value))
  }

  /// The length as sent, in bytes.
  var count: Int {
    switch self {
    case .given(let text): text.count
    case .made: 16
    }
  }

  /// Appends the id as sent.
  ///
  /// An id made by the server has 16 hexadecimal digits.
  func append(to text: inout OutputSpan<UInt8>) {
    switch self {
    case .given(let given): text.append(given.span)
    case .made(let number):
      text.append(bytesOf: Self.digits(of: UInt32(truncatingIfNeeded: number &>> 32)))
      text.append(bytesOf: Self.digits(of: UInt32(truncatingIfNeeded: number)))
    }
  }

  /// Returns eight hexadecimal digits, the first one lowest.
  ///
  /// The digits are spread over the bytes of a word in three parallel steps.
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

  /// Appends the id as sent to an array.
  func append(to bytes: inout [UInt8]) {
    bytes.append(addingCapacity: count) { append(to: &$0) }
  }
}

/// A generator of ids for requests that bring none.
///
/// It is SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): ids do not repeat and do not look like
/// counts. They are not secret and must not protect anything.
package struct RequestIDs: Sendable {
  private var state: UInt64

  /// Creates a generator.
  ///
  /// The seed must be random if ids must differ between generators.
  package init(seed: UInt64) { state = seed }

  /// Returns the next id.
  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
    return bits ^ bits >> 31
  }
}
