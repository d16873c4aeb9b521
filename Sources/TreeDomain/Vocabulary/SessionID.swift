import JSON

/// The name of a session: `s_` and 128 random bits in base 62, so that none can be guessed.
public struct SessionID: Hashable, Comparable, Sendable {
  private let bits: UInt128

  /// Makes a new id.
  ///
  /// - Parameter generator: Where the bits come from; the system's generator outside of tests.
  public init(using generator: inout some RandomNumberGenerator) {
    bits = RandomToken.bits(using: &generator)
  }

  /// Reads an id as it is written; the result is `nil` when the bytes are none.
  public init?(_ bytes: ArraySlice<UInt8>) {
    guard let bits = RandomToken.parse(bytes.span, prefix: "s") else { return nil }
    self.bits = bits
  }

  /// The id as it is written, 24 ASCII bytes.
  public var bytes: [UInt8] { RandomToken.bytes(of: bits, prefix: "s") }

  /// Orders ids by their bits, which are random.
  public static func < (left: SessionID, right: SessionID) -> Bool { left.bits < right.bits }

  /// Puts the id as JSON into room for 26 bytes.
  func put(to out: inout MutableSpan<UInt8>, _ i: inout Int) {
    out.put("\"", &i)
    RandomToken.put(bits, prefix: "s", to: &out, at: i)
    i += RandomToken.length
    out.put("\"", &i)
  }
}
