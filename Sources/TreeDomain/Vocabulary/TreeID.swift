/// The name of a tree; one that belongs to a single session is `t_` and 128 random bits.
public struct TreeID: Hashable, Sendable {
  /// The id as it is written.
  public let bytes: [UInt8]

  /// Makes a new id.
  ///
  /// - Parameter generator: Where the bits come from; the system's generator outside of tests.
  public init(using generator: inout some RandomNumberGenerator) {
    bytes = RandomToken.bytes(of: RandomToken.bits(using: &generator), prefix: "t")
  }
}
