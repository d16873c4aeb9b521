import JSON

/// The name of a session: `s_` and 128 random bits in base 62, so that none can be guessed.
public struct SessionID: Hashable, Comparable, Sendable {
  private let token: RandomToken

  private static let lowest = RandomToken(0, prefix: "s")
  private static let highest = RandomToken(.max, prefix: "s")

  /// Makes a new id.
  ///
  /// - Parameter generator: Where the bits come from; the system's generator outside of tests.
  public init(using generator: inout some RandomNumberGenerator) {
    token = RandomToken(RandomToken.bits(using: &generator), prefix: "s")
  }

  /// Reads an id as it is written; the result is `nil` when the bytes are none.
  public init?(_ bytes: ArraySlice<UInt8>) {
    guard let token = RandomToken(bytes.span), Self.lowest <= token, token <= Self.highest else {
      return nil
    }
    self.token = token
  }

  /// The id as it is written, 24 ASCII bytes.
  public var bytes: [UInt8] { token.bytes }

  /// Orders ids by their bits, which are random.
  public static func < (left: SessionID, right: SessionID) -> Bool { left.token < right.token }

  /// Puts the id as JSON into room for 26 bytes.
  func put(to out: inout JSONRoom) {
    out.put("\"")
    token.put(to: &out)
    out.put("\"")
  }
}
