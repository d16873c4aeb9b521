import CPrefetch

/// Byte strings one behind another, each named by a ``Slice`` of eight bytes.
///
/// Bytes are never changed in place: a new value is appended and the old one becomes garbage, which
/// is why undoing a change is putting an old slice back.
///
/// They lie in chunks, none of which a string crosses, so that neither growing nor a write beside a
/// copy of the arena copies more than one chunk. Long strings have a chunk each.
public struct ByteArena: Sendable {
  /// The most bytes of one string.
  static let longest = 1 << 24 - 1

  /// Where a byte string lies: 22 bits for the chunk, 18 for the place in it, 24 for the length.
  public struct Slice: Equatable, Sendable, BitwiseCopyable {
    @inlinable static var placeBits: Int { 18 }
    @usableFromInline var bits: UInt64

    fileprivate init(chunk: Int, place: Int, count: Int) {
      precondition(count <= longest && chunk < 1 << 22, "a byte string is over 16 MiB")
      bits = UInt64(chunk << Self.placeBits | place) << 24 | UInt64(count)
    }

    /// How many bytes it has.
    @inlinable public var count: Int { Int(truncatingIfNeeded: bits & 0xFF_FFFF) }
    /// Whether it has none.
    @inlinable public var isEmpty: Bool { count == 0 }

    @inlinable var chunk: Int { Int(truncatingIfNeeded: bits &>> (24 + UInt64(Self.placeBits))) }
    @inlinable var place: Int {
      Int(truncatingIfNeeded: bits &>> 24) & (1 &<< Self.placeBits &- 1)
    }
    @inlinable var range: Range<Int> { place..<(place &+ count) }

    static let empty = Slice(chunk: 0, place: 0, count: 0)
  }

  /// How an arena was at some moment.
  struct Mark: Sendable {
    fileprivate var chunks = 0
    fileprivate var open = -1
    fileprivate var openCount = 0
    fileprivate var count = 0
    fileprivate var garbage = 0
  }

  @usableFromInline private(set) var chunks: [[UInt8]] = []
  /// The chunk that is being filled; -1 before the first.
  private var open = -1
  /// Bytes of strings held, garbage included.
  private(set) var count = 0
  /// Bytes that no slice names any more.
  private(set) var garbage = 0
  /// The bytes of the room that the chunks have.
  private(set) var roomBytes = 0
  /// Bytes of a chunk that strings share.
  private let chunkBytes: Int

  /// Creates an empty arena, with chunks of so many bytes that strings share.
  init(chunkBytes: Int = 1 << Slice.placeBits) {
    precondition(chunkBytes <= 1 << Slice.placeBits, "places of a slice have eighteen bits")
    self.chunkBytes = chunkBytes
  }

  /// Keeps a string.
  ///
  /// - Complexity: O(bytes), and a copy of one chunk where that has to grow or is shared.
  mutating func append(_ string: Span<UInt8>) -> Slice {
    // A slice of no bytes is not renamed when the arena is compacted, so it may lie nowhere.
    if string.isEmpty { return .empty }
    count += string.count
    let chunk = chunk(for: string.count)
    let slice = Slice(chunk: chunk, place: chunks[chunk].count, count: string.count)
    let room = chunks[chunk].capacity
    unsafe string.withUnsafeBufferPointer { unsafe chunks[chunk].append(contentsOf: $0) }
    roomBytes += chunks[chunk].capacity - room
    return slice
  }

  /// The chunk that a string of so many bytes goes to, which has room for it.
  private mutating func chunk(for count: Int) -> Int {
    // What is left over at the end of a chunk is no more than an eighth of it.
    if count > chunkBytes / 8 {
      chunks.append([])
      chunks[chunks.count - 1].reserveCapacity(count)
      roomBytes += chunks[chunks.count - 1].capacity
      return chunks.count - 1
    }
    if open >= 0, chunks[open].count + count <= chunkBytes { return open }
    let isFirst = open < 0
    open = chunks.count
    chunks.append([])
    if !isFirst { chunks[open].reserveCapacity(chunkBytes) }
    roomBytes += chunks[open].capacity
    return open
  }

  /// The bytes that the arena takes, with the room for more in its chunks.
  ///
  /// - Complexity: O(1).
  var byteCount: Int { roomBytes + chunks.byteCount + chunks.count * heapObjectBytes }

  /// Adds up the room of the chunks anew, and compares; for tests.
  func checkMemory() {
    precondition(roomBytes == chunks.reduce(0) { $0 + $1.capacity }, "chunks are not counted")
  }

  var mark: Mark {
    let openCount = open < 0 ? 0 : chunks[open].count
    return Mark(
      chunks: chunks.count,
      open: open,
      openCount: openCount,
      count: count,
      garbage: garbage
    )
  }

  mutating func discard(_ slice: Slice) { garbage += slice.count }

  /// Takes back all that was appended and discarded since the arena was as it was.
  ///
  /// Slices appended since become invalid.
  mutating func rewind(to earlier: Mark) {
    while chunks.count > earlier.chunks {
      roomBytes -= chunks[chunks.count - 1].capacity
      chunks.removeLast()
    }
    open = earlier.open
    if open >= 0, chunks[open].count > earlier.openCount {
      roomBytes -= chunks[open].capacity
      chunks[open].removeLast(chunks[open].count - earlier.openCount)
      roomBytes += chunks[open].capacity
    }
    count = earlier.count
    garbage = earlier.garbage
  }

  /// A byte string where it lies.
  ///
  /// - Complexity: O(1).
  @inlinable @inline(always) @_lifetime(borrow self)
  public func span(of slice: Slice) -> Span<UInt8> {
    if slice.isEmpty { return Span() }
    let start = unsafe chunks[slice.chunk].withUnsafeBufferPointer { bytes in
      precondition(slice.range.upperBound <= bytes.count, "a slice of something else")
      return unsafe bytes.baseAddress.unsafelyUnwrapped + slice.place
    }
    let span = unsafe Span(_unsafeStart: start, count: slice.count)
    return unsafe _overrideLifetime(span, borrowing: self)
  }

  /// Begins to load the first and the last of a string's bytes, for who reads it soon, and does not
  /// wait for them.
  @inline(always)
  func prefetch(_ slice: Slice) {
    if slice.isEmpty { return }
    unsafe span(of: slice).withUnsafeBytes { bytes in
      let first = unsafe bytes.baseAddress.unsafelyUnwrapped
      unsafe cprefetch_read(first)
      unsafe cprefetch_read(first + (bytes.count &- 1))
    }
  }

  func span(_ slice: Slice) -> ArraySlice<UInt8> {
    slice.isEmpty ? [] : chunks[slice.chunk][slice.range]
  }

  /// Copies what a slice names behind other bytes.
  ///
  /// - Complexity: O(bytes).
  public func append(_ slice: Slice, to other: inout [UInt8]) {
    unsafe span(of: slice).withUnsafeBufferPointer { unsafe other.append(contentsOf: $0) }
  }

  /// An arena of the same kind that holds nothing yet.
  func makeSuccessor() -> ByteArena { ByteArena(chunkBytes: chunkBytes) }

  /// Copies what a slice of another arena names.
  mutating func append(_ slice: Slice, of other: ByteArena) -> Slice {
    append(other.span(of: slice))
  }
}
