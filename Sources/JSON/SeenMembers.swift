/// A set of positions in ``MemberNames``, for finding duplicate and missing members.
public struct SeenMembers: Equatable, Sendable {
  private var bits: UInt64 = 0

  /// Creates an empty set.
  public init() {}

  /// Creates a set of positions, each in `0..<MemberNames.maxCount`.
  public init(_ positions: [Int]) {
    for position in positions {
      bits |= 1 &<< UInt64(position)
    }
  }

  /// Returns the lowest position that is in this set and not in another.
  public func first(outside other: SeenMembers) -> Int? {
    let rest = bits & ~other.bits
    return rest == 0 ? nil : rest.trailingZeroBitCount
  }

  /// Inserts a position.
  ///
  /// - Returns: False if it was there before, which means a duplicate member.
  public mutating func insert(_ position: Int) -> Bool {
    let bit: UInt64 = 1 &<< UInt64(position)
    defer { bits |= bit }
    return bits & bit == 0
  }

  /// Returns true if a position is in the set.
  public func contains(_ position: Int) -> Bool {
    bits & (1 &<< UInt64(position)) != 0
  }
}
