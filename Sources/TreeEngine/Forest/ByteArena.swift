import CPrefetch

/// An append-only store of byte strings, each named by a ``Slice`` of eight bytes.
///
/// Bytes never change in place: a new value is appended and the old one becomes garbage. So a
/// change is undone by restoring the old slice.
///
/// Strings lie in chunks and do not cross their borders. So growth, and a write to a shared copy of
/// the arena, copies at most one chunk. A long string has a chunk of its own.
public struct ByteArena: Sendable {
  /// The longest string, in bytes.
  static let longest = 1 << 24 - 1

  /// The location of a byte string: 22 bits for the chunk, 18 for the offset in it, 24 for the
  /// length.
  public struct Slice: Equatable, Sendable, BitwiseCopyable {
    @inlinable static var placeBits: Int { 18 }
    @usableFromInline var bits: UInt64

    fileprivate init(chunk: Int, place: Int, count: Int) {
      precondition(count <= longest && chunk < 1 << 22, "a byte string is over 16 MiB")
      bits = UInt64(chunk << Self.placeBits | place) << 24 | UInt64(count)
    }

    /// The length in bytes.
    @inlinable public var count: Int { Int(truncatingIfNeeded: bits & 0xFF_FFFF) }
    /// True if the length is 0.
    @inlinable public var isEmpty: Bool { count == 0 }

    @inlinable var chunk: Int { Int(truncatingIfNeeded: bits &>> (24 + UInt64(Self.placeBits))) }
    @inlinable var place: Int {
      Int(truncatingIfNeeded: bits &>> 24) & (1 &<< Self.placeBits &- 1)
    }
    @inlinable var range: Range<Int> { place..<(place &+ count) }

    static let empty = Slice(chunk: 0, place: 0, count: 0)
  }

  /// The state of an arena at a moment, for ``rewind(to:)``.
  struct Mark: Sendable {
    fileprivate var chunks = 0
    fileprivate var open = -1
    fileprivate var openCount = 0
    fileprivate var count = 0
    fileprivate var garbage = 0
  }

  @usableFromInline private(set) var chunks: [[UInt8]] = []
  /// The chunk that is being filled, or -1 before the first.
  private var open = -1
  /// The total length of all strings in bytes, garbage included.
  private(set) var count = 0
  /// The total length of the strings that were discarded, in bytes.
  private(set) var garbage = 0
  /// The capacity of all chunks in bytes.
  private(set) var roomBytes = 0
  /// The size of a chunk with several strings, in bytes.
  private let chunkBytes: Int

  /// Creates an empty arena.
  ///
  /// `chunkBytes` is the size of chunks that hold several strings.
  init(chunkBytes: Int = 1 << Slice.placeBits) {
    precondition(chunkBytes <= 1 << Slice.placeBits, "places of a slice have eighteen bits")
    self.chunkBytes = chunkBytes
  }

  /// Appends a string.
  ///
  /// - Complexity: O(bytes), and a copy of one chunk if that grows or is shared.
  mutating func append(_ string: Span<UInt8>) -> Slice {
    // A compaction does not move empty slices, so they must not point into a chunk.
    if string.isEmpty { return .empty }
    count += string.count
    let chunk = chunk(for: string.count)
    let slice = Slice(chunk: chunk, place: chunks[chunk].count, count: string.count)
    let room = chunks[chunk].capacity
    unsafe string.withUnsafeBufferPointer { unsafe chunks[chunk].append(contentsOf: $0) }
    roomBytes += chunks[chunk].capacity - room
    return slice
  }

  /// Returns a chunk with room for a string of `count` bytes.
  private mutating func chunk(for count: Int) -> Int {
    // This limits the unused rest of a chunk to an eighth.
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

  /// The size of the arena in bytes, with the unused capacity of its chunks.
  ///
  /// - Complexity: O(1).
  var byteCount: Int { roomBytes + chunks.byteCount + chunks.count * heapObjectBytes }

  /// Recomputes the capacity of the chunks and compares it.
  ///
  /// For tests.
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

  /// Reverts all appends and discards since a mark.
  ///
  /// Slices appended since then become invalid.
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

  /// Returns the bytes of a slice without copying them.
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

  /// Prefetches the first and the last byte of a string into the cache.
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

  /// Appends the bytes of a slice to an array.
  ///
  /// - Complexity: O(bytes).
  public func append(_ slice: Slice, to other: inout [UInt8]) {
    unsafe span(of: slice).withUnsafeBufferPointer { unsafe other.append(contentsOf: $0) }
  }

  /// Makes an empty arena with the same chunk size.
  func makeSuccessor() -> ByteArena { ByteArena(chunkBytes: chunkBytes) }

  /// Appends a string of another arena.
  mutating func append(_ slice: Slice, of other: ByteArena) -> Slice {
    append(other.span(of: slice))
  }
}
