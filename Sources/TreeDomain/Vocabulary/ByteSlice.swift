public import TreeEngine

/// A run of bytes inside a buffer that is kept elsewhere.
public struct ByteSlice: Equatable, Sendable {
  @usableFromInline let packed: PackedRange

  /// Makes a slice of `count` bytes from `offset` on.
  ///
  /// - Precondition: As of ``PackedRange``.
  @inlinable
  @inline(__always)
  public init(offset: Int, count: Int) {
    packed = PackedRange(offset: offset, count: count)
  }

  /// Makes a slice from a range of offsets.
  ///
  /// - Precondition: As of ``PackedRange``.
  @inlinable
  @inline(__always)
  public init(_ range: Range<Int>) {
    packed = PackedRange(range)
  }

  /// The offset of the first byte.
  @inlinable public var offset: Int { packed.offset }

  /// How many bytes there are.
  @inlinable public var count: Int { packed.count }

  /// The offsets it covers.
  @inlinable public var range: Range<Int> { packed.range }
}
