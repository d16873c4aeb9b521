public import TreeEngine

/// A range of bytes in a buffer that is stored elsewhere.
public struct ByteSlice: Equatable, Sendable {
  @usableFromInline let packed: PackedRange

  /// Makes a slice of `count` bytes from `offset` on.
  ///
  /// - Precondition: As for ``PackedRange``.
  @inlinable
  @inline(__always)
  public init(offset: Int, count: Int) {
    packed = PackedRange(offset: offset, count: count)
  }

  /// Makes a slice from a range of offsets.
  ///
  /// - Precondition: As for ``PackedRange``.
  @inlinable
  @inline(__always)
  public init(_ range: Range<Int>) {
    packed = PackedRange(range)
  }

  /// The offset of the first byte.
  @inlinable public var offset: Int { packed.offset }

  /// The number of bytes.
  @inlinable public var count: Int { packed.count }

  /// The range of offsets.
  @inlinable public var range: Range<Int> { packed.range }
}
