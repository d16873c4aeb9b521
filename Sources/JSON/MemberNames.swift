/// The allowed member names of an object, prepared for fast lookup.
///
/// A name of up to sixteen bytes is packed into two words, so that a lookup among a dozen names
/// takes a dozen comparisons of words. Longer names are compared byte by byte.
public struct MemberNames: Sendable {
  private static let maxPackedBytes = 16
  /// The maximum number of names, so that ``SeenMembers`` can hold them.
  public static let maxCount = 64

  /// The packed names.
  ///
  /// A longer name has zeros in its place, which match nothing.
  private let packed: [SIMD2<UInt64>]
  private let long: [(name: [UInt8], position: Int)]

  /// Creates a list; lookups return positions in it.
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

  /// Returns the position of a name that was read from `text`, or `nil` if it is not listed.
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

  /// Packs a name, padded with zeros; `nil` if it is empty, too long or contains NUL.
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
