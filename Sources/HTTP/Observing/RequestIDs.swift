/// A generator of ids for requests that bring none.
///
/// It is SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): ids do not repeat and do not look like
/// counts. They are not secret and must not protect anything.
package struct RequestIDs: Sendable {
  private var state: UInt64

  /// Creates a generator.
  ///
  /// The seed must be random if ids must differ between generators.
  package init(seed: UInt64) { state = seed }

  /// Returns the next id.
  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
    return bits ^ bits >> 31
  }
}
