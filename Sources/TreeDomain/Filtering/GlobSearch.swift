/// Finds the first match of consecutive pattern parts with the bit-parallel Shift-And algorithm.
///
/// Bit *i* of the state is set if parts 0 to *i* match the last code points read.
///
/// Source: Baeza-Yates and Gonnet, *A New Approach to Text Searching*, Communications of the ACM
/// 35, 1992.
struct GlobSearch {
  /// The largest number of cached masks.
  ///
  /// The masks of further code points are computed at each occurrence.
  private static let mostMasks = 4_096
  /// The largest number of words and comparisons between two calls of `count`.
  private static let mostUncounted = 4_096

  private let parts: ArraySlice<Glob.Part>
  private let words: Int
  /// The parts that each code point matches, as bits.
  private var masks: [Unicode.Scalar: [UInt64]] = [:]

  /// Creates a search.
  ///
  /// - Precondition: There is at least one part, and none is a run.
  init(_ parts: ArraySlice<Glob.Part>) {
    self.parts = parts
    words = (parts.count + 63) / 64
  }

  /// Finds the first match.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - count: Counts steps, about one for 64 comparisons or words.
  /// - Returns: The index after it; `nil` if there is none.
  /// - Throws: The errors of `count`.
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
      // The first part may match at any position.
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
