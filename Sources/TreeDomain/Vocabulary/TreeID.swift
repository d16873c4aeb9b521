import JSON

/// The id of a tree.
///
/// Generated ids are `t_` and 128 random bits in base 62.
package struct TreeID: Hashable, Comparable, Sendable {
  /// The largest size of an id in bytes.
  package static let maxBytes = 128

  /// The text of the id.
  package let bytes: [UInt8]

  /// Makes a new id.
  ///
  /// - Parameter generator: The source of the bits. The system's generator except in tests.
  package init(using generator: inout some RandomNumberGenerator) {
    bytes = RandomToken(RandomToken.bits(using: &generator), prefix: "t").bytes
  }

  /// Makes an id given by a client; `nil` if it is not allowed.
  ///
  /// - Parameter bytes: 1 to ``maxBytes`` of `A`–`Z`, `a`–`z`, `0`–`9`, `.`, `_`, `~` and `-`. Not
  ///   `.` or `..`, which clients remove from a path (RFC 3986, section 5.2.4).
  package init?(validating bytes: some Sequence<UInt8>) {
    let written = Array(bytes)
    guard 1...TreeID.maxBytes ~= written.count, written.allSatisfy(TreeID.isAllowed),
      !(written.count <= 2 && written.allSatisfy { $0 == UInt8(ascii: ".") })
    else { return nil }
    self.bytes = written
  }

  /// True if the id has the form of a generated id: `t_` and 22 digits of base 62.
  package var isGenerated: Bool {
    bytes.starts(with: "t_".utf8) && RandomToken(bytes.span) != nil
  }

  /// Returns true if one id is before another, by bytes.
  package static func < (left: TreeID, right: TreeID) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    default: "._~-".utf8.contains(byte)
    }
  }
}

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

/// The revision of a session's view or of a tree: a number that grows with each change.
///
/// A change adds 1. After lost changes or a restored backup, it continues higher (``Generations``).
package struct Revision: Hashable, Comparable, Sendable {
  /// The number, from 0.
  package var number: UInt64

  /// Makes a revision from its number.
  package init(_ number: UInt64) {
    self.number = number
  }

  /// A value that no session or tree ever has.
  package static let unknown = Revision(.max)

  /// The revision after the next change.
  package var next: Revision { Revision(number + 1) }

  /// Returns true if one revision is before another.
  package static func < (left: Revision, right: Revision) -> Bool {
    left.number < right.number
  }
}
