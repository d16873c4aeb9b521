/// Which members of an object have been met: finds duplicates and what is missing.
public struct SeenMembers: Equatable, Sendable {
  private var bits: UInt64 = 0

  /// Makes an empty set.
  public init() {}

  /// Makes a set of positions in ``MemberNames``.
  public init(_ positions: [Int]) {
    for position in positions {
      bits |= 1 &<< UInt64(position)
    }
  }

  /// The lowest position that is here, but not in another set.
  public func first(outside other: SeenMembers) -> Int? {
    let rest = bits & ~other.bits
    return rest == 0 ? nil : rest.trailingZeroBitCount
  }

  /// Adds a member by its position in ``MemberNames``.
  ///
  /// - Returns: `false` when it was there before, which means a duplicate.
  public mutating func insert(_ position: Int) -> Bool {
    let bit: UInt64 = 1 &<< UInt64(position)
    defer { bits |= bit }
    return bits & bit == 0
  }

  /// Whether a member was met.
  public func contains(_ position: Int) -> Bool {
    bits & (1 &<< UInt64(position)) != 0
  }
}
