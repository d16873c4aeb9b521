/// The member names an object may have, made for quick recognition.
///
/// A name of up to sixteen bytes is packed into two words, so that finding one among a dozen costs
/// a dozen comparisons of words and no look at the text.
public struct MemberNames: Sendable {
  /// How long a name may be, in bytes.
  public static let maxNameBytes = 16
  /// How many names there may be, so that ``SeenMembers`` holds them.
  public static let maxCount = 64

  private let packed: [SIMD2<UInt64>]

  /// Makes the list; a name is later told by its position in it.
  ///
  /// - Precondition: At most ``maxCount`` names of 1 to ``maxNameBytes`` bytes without NUL.
  public init(_ names: [String]) {
    precondition(names.count <= MemberNames.maxCount)
    packed = names.map { name in
      let bytes = Array(name.utf8)
      guard let word = MemberNames.pack(bytes, in: bytes.indices) else {
        preconditionFailure("a member name must have 1 to 16 bytes and no NUL")
      }
      return word
    }
  }

  /// The position of a name, read from `text`, in the list; `nil` when it is not there.
  public func position(of name: JSONString, in text: [UInt8]) -> Int? {
    let word: SIMD2<UInt64>?
    if name.hasEscapes {
      let bytes = name.decoded(from: text)
      word = MemberNames.pack(bytes, in: bytes.indices)
    } else {
      word = MemberNames.pack(text, in: name.range)
    }
    guard let word else { return nil }
    return packed.firstIndex(of: word)
  }

  /// The bytes of a name padded with zeros; `nil` when it does not fit or could be mistaken.
  private static func pack(_ bytes: [UInt8], in range: Range<Int>) -> SIMD2<UInt64>? {
    guard 1...maxNameBytes ~= range.count else { return nil }
    var low: UInt64 = 0
    var high: UInt64 = 0
    for i in range.reversed() {
      guard bytes[i] != 0 else { return nil }
      high = high &<< 8 | low &>> 56
      low = low &<< 8 | UInt64(bytes[i])
    }
    return SIMD2(low, high)
  }
}
