import JSON

/// The id of a session: `s_` and 128 random bits in base 62, so that it cannot be guessed.
package struct SessionID: Hashable, Comparable, Sendable {
  private let token: RandomToken

  private static let lowest = RandomToken(0, prefix: "s")
  private static let highest = RandomToken(.max, prefix: "s")

  /// Makes a new id.
  ///
  /// - Parameter generator: The source of the bits. The system's generator except in tests.
  package init(using generator: inout some RandomNumberGenerator) {
    token = RandomToken(RandomToken.bits(using: &generator), prefix: "s")
  }

  /// Parses an id; `nil` if the text is not an id.
  package init?(_ bytes: ArraySlice<UInt8>) {
    guard let token = RandomToken(bytes.span), Self.lowest <= token, token <= Self.highest else {
      return nil
    }
    self.token = token
  }

  /// The text of the id, 24 ASCII bytes.
  package var bytes: [UInt8] { token.bytes }

  /// Orders ids by their bits.
  package static func < (left: SessionID, right: SessionID) -> Bool { left.token < right.token }

  /// Writes the id as a JSON string of 26 bytes.
  func put(to out: inout JSONRoom) {
    out.put("\"")
    token.put(to: &out)
    out.put("\"")
  }
}
