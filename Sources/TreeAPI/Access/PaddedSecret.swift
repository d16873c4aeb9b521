/// A secret in a form that is compared in constant time.
///
/// A comparison that stops at the first difference reveals by its duration how much of a guess is
/// right. A secret can then be found byte by byte (Kocher, CRYPTO 1996). Here all secrets have
/// the same length after padding, all words of both are compared, and the true length is one of
/// the words. The duration therefore depends neither on the place of a difference nor on a length.
struct PaddedSecret: Equatable, Sendable {
  /// The maximum length of a secret in bytes.
  static let maxBytes = 512

  /// The bytes, eight a word and padded with zeros, followed by the length.
  private let words: InlineArray<65, UInt64>

  /// Creates the padded form; nil if the secret is too long.
  init?(_ bytes: some Collection<UInt8>) {
    guard bytes.count <= Self.maxBytes else { return nil }
    var words = InlineArray<65, UInt64>(repeating: 0)
    for (index, byte) in bytes.enumerated() { words[index / 8] |= UInt64(byte) << (index % 8 * 8) }
    words[Self.maxBytes / 8] = UInt64(bytes.count)
    self.words = words
  }

  /// Returns true if two secrets are equal, in constant time.
  static func == (left: PaddedSecret, right: PaddedSecret) -> Bool {
    var difference: UInt64 = 0
    // Spans avoid copying an inline array for each word.
    let (words, others) = (left.words.span, right.words.span)
    for index in words.indices { difference |= words[index] ^ others[index] }
    return difference == 0
  }
}
