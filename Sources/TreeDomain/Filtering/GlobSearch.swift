/// Finds where parts of a pattern that stand side by side first match, all of them at once: bit *i*
/// of the state says that parts 0 to *i* match what was read last (Baeza-Yates and Gonnet, "A new
/// approach to text searching", Communications of the ACM 35, 1992).
struct GlobSearch {
  /// Beyond so many different characters, those not met before are held against the parts each
  /// time.
  private static let mostMasks = 4_096
  /// So many words and comparisons are counted at once.
  private static let mostUncounted = 4_096

  private let parts: ArraySlice<Glob.Part>
  private let words: Int
  /// The parts that each character matches.
  private var masks: [Unicode.Scalar: [UInt64]] = [:]

  /// - Precondition: there are parts, none of them a run.
  init(_ parts: ArraySlice<Glob.Part>) {
    self.parts = parts
    words = (parts.count + 63) / 64
  }

  /// Finds the first match.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - count: Counts the steps, about one for 64 comparisons or words.
  /// - Returns: The place behind it; `nil` for none.
  /// - Throws: What counting throws.
  /// - Complexity: O(*n* *m* / 64 + *d* *m*) for *n* characters, *d* of them different, and *m*
  ///   parts.
  mutating func firstEnd(
    in text: ArraySlice<Unicode.Scalar>,
    counting count: (Int) throws(ServiceError) -> Void
  ) throws(ServiceError) -> Int? {
    var state = [UInt64](repeating: 0, count: words)
    let last = UInt64(1) << UInt64((parts.count - 1) % 64)
    var uncounted = 0
    for (i, scalar) in zip(text.indices, text) {
      uncounted += words
      let mask = mask(of: scalar, &uncounted)
      if uncounted > Self.mostUncounted {
        try count(uncounted / 64)
        uncounted = 0
      }
      // The first part may begin to match anywhere.
      var carry: UInt64 = 1
      for word in state.indices {
        let shifted = state[word] << 1 | carry
        carry = state[word] >> 63
        state[word] = shifted & mask[word]
      }
      if state[words - 1] & last != 0 { return i + 1 }
    }
    return nil
  }

  private mutating func mask(of scalar: Unicode.Scalar, _ uncounted: inout Int) -> [UInt64] {
    if let known = masks[scalar] { return known }
    uncounted += parts.count
    var mask = [UInt64](repeating: 0, count: words)
    for (i, part) in parts.enumerated() where part.matches(scalar) {
      mask[i / 64] |= UInt64(1) << UInt64(i % 64)
    }
    if masks.count < Self.mostMasks { masks[scalar] = mask }
    return mask
  }
}
