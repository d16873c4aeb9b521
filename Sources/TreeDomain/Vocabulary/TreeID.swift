/// The name of a tree; one that belongs to a single session is `t_` and 128 random bits.
public struct TreeID: Hashable, Comparable, Sendable {
  /// How long a name may be, in bytes.
  public static let maxBytes = 128

  /// The id as it is written.
  public let bytes: [UInt8]

  /// Makes a new id.
  ///
  /// - Parameter generator: Where the bits come from; the system's generator outside of tests.
  public init(using generator: inout some RandomNumberGenerator) {
    bytes = RandomToken(RandomToken.bits(using: &generator), prefix: "t").bytes
  }

  /// Takes an id that a client gives; the result is `nil` when it can be none.
  ///
  /// - Parameter bytes: 1 to ``maxBytes`` of `A`–`Z`, `a`–`z`, `0`–`9`, `.`, `_`, `~` and `-`; not
  ///   `.` or `..`, which clients take out of a path (RFC 3986, section 5.2.4).
  public init?(validating bytes: some Sequence<UInt8>) {
    let written = Array(bytes)
    guard 1...TreeID.maxBytes ~= written.count, written.allSatisfy(TreeID.isAllowed),
      !(written.count <= 2 && written.allSatisfy { $0 == UInt8(ascii: ".") })
    else { return nil }
    self.bytes = written
  }

  /// Whether it is of the form that the service's own ids have: `t_` and 22 digits of base 62.
  public var isGenerated: Bool {
    bytes.starts(with: "t_".utf8) && RandomToken(bytes.span) != nil
  }

  /// Whether one id comes before another, by bytes.
  public static func < (left: TreeID, right: TreeID) -> Bool {
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
