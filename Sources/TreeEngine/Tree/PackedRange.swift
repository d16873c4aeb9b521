/// A range of offsets in 8 bytes instead of 16.
///
/// Lists of operations and nodes are long, and touching more memory costs more than unpacking.
public struct PackedRange: Equatable, Sendable {
  /// The number of bits of `high` that store the count; the others store the rest of the offset.
  @usableFromInline static var countBits: UInt32 { 29 }
  @usableFromInline static var maxCount: UInt32 { (1 &<< countBits) &- 1 }

  /// The low 32 bits of the offset.
  @usableFromInline let low: UInt32
  /// The count in the low 29 bits, and the high bits of the offset in the other three.
  @usableFromInline let high: UInt32

  /// Packs a range.
  ///
  /// - Precondition: `offset` is in 0..<2³⁵, and `count` in 0..<2²⁹, the maximum length of a body.
  @inlinable
  @inline(__always)
  public init(offset: Int, count: Int) {
    let (start, length) = (UInt64(bitPattern: Int64(offset)), UInt64(bitPattern: Int64(count)))
    let countBits = UInt64(Self.countBits)
    precondition(start &>> 35 == 0 && length &>> countBits == 0, "the range is too long")
    low = UInt32(truncatingIfNeeded: start)
    high = UInt32(truncatingIfNeeded: ((start &>> 32) &<< countBits) | length)
  }

  /// Packs a range.
  ///
  /// - Precondition: As of ``init(offset:count:)``.
  @inlinable
  @inline(__always)
  public init(_ range: Range<Int>) {
    self.init(offset: range.lowerBound, count: range.upperBound &- range.lowerBound)
  }

  /// The first offset.
  @inlinable public var offset: Int { Int(low) | (Int(high &>> Self.countBits) &<< 32) }

  /// The number of offsets.
  @inlinable public var count: Int { Int(high & Self.maxCount) }

  /// The range.
  @inlinable public var range: Range<Int> {
    let start = offset
    return start..<(start &+ count)
  }
}
