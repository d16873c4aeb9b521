import CPrefetch

/// An array in chunks of bounded size.
///
/// A chunk is copied when it is written to while another copy of the array shares it.
///
/// A standard array doubles as it grows and is copied whole by the first write to a shared copy.
/// For a large tree that is hundreds of megabytes at once. Here growth adds a chunk, and a write to
/// a shared copy copies one chunk. A short array is a single chunk that doubles up to the full
/// size.
///
/// Elements are trivially copyable. A run of elements within one chunk is available as a span.
@safe
struct ChunkedArray<Element: BitwiseCopyable & Sendable, Width: NodeWidth> {
  private var directory: ChunkDirectory?
  /// The directory's slots.
  ///
  /// Access through the object would cost a retain and a release each time.
  private var slots: UnsafeMutablePointer<ChunkSlot>?
  private var size: UInt32 = 0
  /// True if the caller guarantees that no other array shares a chunk.
  ///
  /// Writes then skip the check. While it is set, the array must not be copied.
  var isSole = false
  /// The number of chunks that were copied because they were shared; it stops at 65 535.
  private var copies: UInt16 = 0

  /// The number of elements.
  private(set) var count: Int {
    @inline(__always)
    get { Int(size) }
    @inline(__always)
    set { size = UInt32(newValue) }
  }

  /// The binary logarithm of the number of elements in a chunk.
  @inline(__always)
  private static var shift: Int {
    let most = Width.chunkBytes / max(leastStride, MemoryLayout<Element>.stride)
    return Int.bitWidth - 1 - most.leadingZeroBitCount
  }

  /// The smallest element size, in bytes, with which the capacity of a chunk is computed.
  ///
  /// Chunks of smaller elements have fewer bytes. Small elements are mostly written at scattered
  /// places, where each write may copy a chunk.
  private static var leastStride: Int { 16 }

  @inline(__always)
  private static var stride: Int { MemoryLayout<Element>.stride }

  /// The least capacity of an array that is not empty.
  private static var fewest: Int { max(1, 32 / stride) }

  /// The number of elements in a full chunk.
  @inline(__always)
  static var chunkCapacity: Int { 1 << shift }

  /// Makes an empty array, which allocates no memory.
  init() {
    directory = nil
    unsafe slots = nil
  }

  var isEmpty: Bool { count == 0 }
  var indices: Range<Int> { 0..<count }

  @inline(__always)
  private func address(_ index: Int) -> UnsafeMutablePointer<Element> {
    let start = unsafe slots.unsafelyUnwrapped[index >> Self.shift].start
    let first = unsafe start.assumingMemoryBound(to: Element.self)
    return unsafe first + (index & (Self.chunkCapacity - 1))
  }

  // MARK: Reading and writing

  /// Accesses an element.
  ///
  /// - Complexity: O(1). A write to a shared chunk copies the chunk.
  subscript(index: Int) -> Element {
    @inline(__always)
    get {
      precondition(UInt(bitPattern: index) < UInt(bitPattern: count), "no such element")
      return unsafe address(index).pointee
    }
    @inline(__always)
    _modify {
      precondition(UInt(bitPattern: index) < UInt(bitPattern: count), "no such element")
      own(index)
      yield unsafe &address(index).pointee
    }
  }

  /// Prefetches an element into the cache.
  @inline(__always)
  func prefetch(_ index: Int) {
    precondition(UInt(bitPattern: index) < UInt(bitPattern: count), "no such element")
    unsafe cprefetch_read(address(index))
  }

  /// Returns a span of elements.
  ///
  /// - Precondition: The range lies within one chunk.
  @inline(__always)
  @_lifetime(borrow self)
  func span(_ range: Range<Int>) -> Span<Element> {
    if range.isEmpty { return Span() }
    check(range)
    let span = unsafe Span(_unsafeStart: address(range.lowerBound), count: range.count)
    return unsafe _overrideLifetime(span, borrowing: self)
  }

  /// Returns a mutable span of elements.
  ///
  /// - Precondition: The range lies within one chunk.
  @inline(__always)
  @_lifetime(&self)
  mutating func mutableSpan(_ range: Range<Int>) -> MutableSpan<Element> {
    if range.isEmpty { return MutableSpan() }
    check(range)
    own(range.lowerBound)
    let start = unsafe address(range.lowerBound)
    let span = unsafe MutableSpan(_unsafeStart: start, count: range.count)
    return unsafe _overrideLifetime(span, mutating: &self)
  }

  @inline(__always)
  private func check(_ range: Range<Int>) {
    let isInside = range.lowerBound >= 0 && range.upperBound <= count
    let chunks = (range.lowerBound >> Self.shift, (range.upperBound - 1) >> Self.shift)
    precondition(isInside && chunks.0 == chunks.1, "not a run of one chunk")
  }

  // MARK: Growing and shrinking

  /// Appends an element.
  ///
  /// - Complexity: O(1), amortised while the array is a single chunk.
  mutating func append(_ element: Element) {
    if count == capacity { grow(for: count + 1) }
    own(count)
    unsafe address(count).initialize(to: element)
    count += 1
  }

  /// Appends an element `times` times.
  ///
  /// - Complexity: O(`times`).
  mutating func append(_ element: Element, times: Int) {
    if count + times > capacity { grow(for: count + times) }
    let end = count + times
    while count < end {
      let inChunk = min(end - count, Self.chunkCapacity - count & (Self.chunkCapacity - 1))
      own(count)
      unsafe address(count).initialize(repeating: element, count: inChunk)
      count += inChunk
    }
  }

  /// Copies elements over others.
  ///
  /// - Precondition: Source and target each lie within one chunk. They may overlap.
  mutating func copy(_ source: Range<Int>, to start: Int) {
    if source.isEmpty { return }
    check(source)
    check(start..<(start + source.count))
    own(start)
    unsafe address(start).update(from: address(source.lowerBound), count: source.count)
  }

  /// Removes and returns the last element, or returns nil if the array is empty.
  ///
  /// The capacity stays.
  mutating func popLast() -> Element? {
    guard count > 0 else { return nil }
    count -= 1
    return unsafe address(count).pointee
  }

  /// The number of elements that the allocated chunks have room for.
  var capacity: Int { directory?.elementCapacity ?? 0 }

  /// The size of the allocated memory in bytes.
  ///
  /// - Complexity: O(1).
  var byteCount: Int { directory == nil ? 0 : capacity * Self.stride + heapObjectBytes }

  /// The size of the chunks copied since ``forgetCopies()``, in bytes.
  var copiedBytes: Int { Int(copies) * Self.chunkCapacity * Self.stride }

  /// Resets ``copiedBytes``.
  ///
  /// Called when no other array holds the originals any more.
  mutating func forgetCopies() { copies = 0 }

  @inline(never)
  private mutating func grow(for needed: Int) {
    if needed <= Self.chunkCapacity {
      return relocate(min(max(needed, 2 * capacity, Self.fewest), Self.chunkCapacity))
    }
    if capacity < Self.chunkCapacity { relocate(Self.chunkCapacity) }
    if directory?.isSmall == true {
      let (bytes, stride) = (count * Self.stride, Self.stride)
      let many = directory?.divided(bytes: bytes, capacity: Self.chunkCapacity, stride: stride)
      hold(many)
    } else if !isKnownUniquelyReferenced(&directory) {
      hold(directory?.shared())
    }
    while capacity < needed {
      if directory?.hasSlot == false { hold(directory?.shared()) }
      directory?.addChunk(capacity: Self.chunkCapacity, stride: Self.stride)
    }
  }

  private mutating func hold(_ other: ChunkDirectory?) {
    directory = other
    unsafe slots = other?.withUnsafeMutablePointerToElements { unsafe $0 }
  }

  /// Moves the elements of a short array to a directory of another capacity.
  private mutating func relocate(_ capacity: Int) {
    let (bytes, stride) = (count * Self.stride, Self.stride)
    hold(
      directory?.copy(bytes: bytes, capacity: capacity, stride: stride)
        ?? .small(capacity: capacity, stride: stride)
    )
  }

  // MARK: Sharing

  /// Makes sure that no other array shares the chunk of an element.
  @inline(__always)
  private mutating func own(_ index: Int) {
    if !isSole { ownShared(index) }
  }

  @inline(never)
  private mutating func ownShared(_ index: Int) {
    if !isKnownUniquelyReferenced(&directory) { ownDirectory() }
    let slot = unsafe slots.unsafelyUnwrapped + (index >> Self.shift)
    let isPart = unsafe slot.pointee.owner == nil
    let isShared = unsafe !isPart && !isKnownUniquelyReferenced(&slot.pointee.owner)
    if isShared { ownChunk(index >> Self.shift) }
  }

  private mutating func ownDirectory() {
    guard let former = directory else { preconditionFailure("nothing is written to no memory") }
    if former.isSmall { relocate(former.elementCapacity) } else { hold(former.shared()) }
  }

  private mutating func ownChunk(_ index: Int) {
    directory?.replaceChunk(index, bytes: Self.chunkCapacity * Self.stride)
    if copies < .max { copies += 1 }
  }
}

// Shared chunks are only read, as in the standard library's arrays. The compiler cannot see that
// through a pointer. A writer is the only owner of its chunk: either it has checked, or `isSole`
// guarantees it. While `isSole` is set, its owner hands out no copies (``Forest/setChanging(_:)``,
// ``RowDelta/setChanging(_:)``). A snapshot and an image refuse to be taken then.
extension ChunkedArray: @unchecked Sendable {}
