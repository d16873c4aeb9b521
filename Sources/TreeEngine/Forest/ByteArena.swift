/// Byte strings one behind another, each named by a ``Slice`` of eight bytes.
///
/// Bytes are never changed in place: a new value is appended and the old one becomes garbage, which
/// is why undoing a change is putting an old slice back.
public struct ByteArena: Sendable {
  /// The most bytes of one string.
  static let longest = 1 << 24 - 1

  /// Where a byte string lies: 40 bits of offset, 24 bits of length.
  public struct Slice: Equatable, Sendable {
    @usableFromInline var bits: UInt64

    init(offset: Int, count: Int) {
      precondition(count <= longest && offset < 1 << 40, "a byte string is over 16 MiB")
      bits = UInt64(offset) << 24 | UInt64(count)
    }

    /// How many bytes it has.
    @inlinable public var count: Int { Int(truncatingIfNeeded: bits & 0xFF_FFFF) }
    /// Whether it has none.
    @inlinable public var isEmpty: Bool { count == 0 }

    @inlinable var offset: Int { Int(truncatingIfNeeded: bits &>> 24) }
    @inlinable var range: Range<Int> { offset..<(offset &+ count) }

    static let empty = Slice(offset: 0, count: 0)
  }

  /// How an arena was at some moment.
  struct Mark: Sendable {
    fileprivate var count = 0
    fileprivate var garbage = 0
  }

  @usableFromInline private(set) var bytes: [UInt8] = []
  /// Bytes that no slice names any more.
  private(set) var garbage = 0

  mutating func append(_ string: Span<UInt8>) -> Slice {
    // A slice of no bytes is not renamed when the arena is compacted, so it may lie nowhere.
    if string.isEmpty { return .empty }
    let slice = Slice(offset: bytes.count, count: string.count)
    unsafe string.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
    return slice
  }

  var mark: Mark { Mark(count: bytes.count, garbage: garbage) }

  mutating func discard(_ slice: Slice) { garbage += slice.count }

  /// Takes back all that was appended and discarded since the arena was as it was.
  ///
  /// Slices appended since become invalid.
  mutating func rewind(to earlier: Mark) {
    if bytes.count > earlier.count { bytes.removeLast(bytes.count - earlier.count) }
    garbage = earlier.garbage
  }

  /// A byte string where it lies.
  ///
  /// - Complexity: O(1).
  @inlinable @_lifetime(borrow self)
  public func span(of slice: Slice) -> Span<UInt8> { bytes.span.extracting(slice.range) }

  func span(_ slice: Slice) -> ArraySlice<UInt8> { bytes[slice.range] }

  /// Copies what a slice names behind other bytes.
  ///
  /// - Complexity: O(bytes).
  public func append(_ slice: Slice, to other: inout [UInt8]) {
    unsafe span(of: slice).withUnsafeBufferPointer { unsafe other.append(contentsOf: $0) }
  }

  /// An arena that holds nothing yet, with room for all that is no garbage in this one.
  func makeSuccessor() -> ByteArena {
    var successor = ByteArena()
    successor.bytes.reserveCapacity(bytes.count - garbage)
    return successor
  }

  /// Copies what a slice of another arena names.
  mutating func append(_ slice: Slice, of other: ByteArena) -> Slice {
    if slice.count == 0 { return .empty }
    let copy = Slice(offset: bytes.count, count: slice.count)
    bytes.append(contentsOf: other.bytes[slice.range])
    return copy
  }
}
