/// A run of bytes inside a buffer that is kept elsewhere.
public struct ByteSlice: Equatable, Sendable {
  /// The offset of the first byte.
  public var offset: Int
  /// How many bytes there are.
  public var count: Int

  /// Makes a slice of `count` bytes from `offset` on.
  public init(offset: Int, count: Int) {
    self.offset = offset
    self.count = count
  }

  /// Makes a slice from a range of offsets.
  public init(_ range: Range<Int>) {
    self.init(offset: range.lowerBound, count: range.count)
  }

  /// The offsets it covers.
  public var range: Range<Int> { offset..<(offset &+ count) }
}
