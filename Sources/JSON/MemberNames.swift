/// The member names an object may have, made for quick recognition.
///
/// A name of up to sixteen bytes is packed into two words, so that finding one among a dozen costs
/// a dozen comparisons of words and no look at the text. Longer ones are looked for by their bytes.
public struct MemberNames: Sendable {
  private static let maxPackedBytes = 16
  /// How many names there may be, so that ``SeenMembers`` holds them.
  public static let maxCount = 64

  /// The names that are short enough, and zeros, which no name is packed to, for the others.
  private let packed: [SIMD2<UInt64>]
  private let long: [(name: [UInt8], position: Int)]

  /// Makes the list; a name is later told by its position in it.
  ///
  /// - Precondition: At most ``maxCount`` names of 1 byte or more, without NUL.
  public init(_ names: [String]) {
    precondition(names.count <= MemberNames.maxCount)
    let all = names.map { Array($0.utf8) }
    precondition(all.allSatisfy { !$0.isEmpty && !$0.contains(0) })
    packed = all.map { MemberNames.pack($0, in: $0.indices) ?? SIMD2(0, 0) }
    long = all.enumerated().compactMap { position, name in
      name.count > MemberNames.maxPackedBytes ? (name, position) : nil
    }
  }

  /// The position of a name, read from `text`, in the list; `nil` when it is not there.
  public func position(of name: JSONString, in text: [UInt8]) -> Int? {
    guard !name.hasEscapes else {
      let bytes = name.decoded(from: text)
      return position(of: bytes, in: bytes.indices)
    }
    return position(of: text, in: name.range)
  }

  private func position(of text: [UInt8], in range: Range<Int>) -> Int? {
    if let word = MemberNames.pack(text, in: range) { return packed.firstIndex(of: word) }
    return long.first { text[range].elementsEqual($0.name) }?.position
  }

  /// The bytes of a name padded with zeros; `nil` when it does not fit or could be mistaken.
  private static func pack(_ bytes: [UInt8], in range: Range<Int>) -> SIMD2<UInt64>? {
    guard 1...maxPackedBytes ~= range.count else { return nil }
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
