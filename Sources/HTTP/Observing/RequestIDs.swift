/// Makes the ids of requests that bring none.
///
/// Numbers that do not repeat, and that nobody takes for a count: SplitMix64 (Steele, Lea and
/// Flood, OOPSLA 2014). They name requests and guard nothing.
public struct RequestIDs: Sendable {
  private var state: UInt64

  /// Ids that follow from a seed, which must be random where they are to be told from others.
  public init(seed: UInt64) { state = seed }

  /// The next one.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
    return bits ^ bits >> 31
  }
}
