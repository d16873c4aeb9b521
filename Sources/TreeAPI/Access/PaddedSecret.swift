/// A secret laid out so that comparing it takes the same time whatever it is compared with.
///
/// A comparison that stops at the first byte that differs tells by its time how many bytes of a
/// guess were right, and so lets a secret be found byte by byte (Kocher, CRYPTO 1996). Here all
/// secrets are padded to one length, every word of both is looked at, and the true length is one of
/// the words: neither where two secrets differ nor how long either is shows in the time.
struct PaddedSecret: Equatable, Sendable {
  /// The most bytes of a secret.
  static let maxBytes = 512

  /// The bytes, eight a word, zeros behind them, and the length.
  private let words: InlineArray<65, UInt64>

  /// Lays a secret out; nil when it is too long to be one.
  init?(_ bytes: some Collection<UInt8>) {
    guard bytes.count <= Self.maxBytes else { return nil }
    var words = InlineArray<65, UInt64>(repeating: 0)
    for (index, byte) in bytes.enumerated() { words[index / 8] |= UInt64(byte) << (index % 8 * 8) }
    words[Self.maxBytes / 8] = UInt64(bytes.count)
    self.words = words
  }

  /// Whether two secrets are the same, after looking at all of both.
  static func == (left: PaddedSecret, right: PaddedSecret) -> Bool {
    var difference: UInt64 = 0
    // Spans, as an array inline would be copied for each word of it.
    let (words, others) = (left.words.span, right.words.span)
    for index in words.indices { difference |= words[index] ^ others[index] }
    return difference == 0
  }
}
