import CPrefetch

/// Elements in chunks of a bounded size, each of which is copied only when it is written to while
/// another copy of the array shares it.
///
/// An array doubles as it grows, and is copied whole by the first write beside a copy of it: of a
/// large tree that is hundreds of megabytes at once. Here growing adds a chunk, and a write beside
/// a copy copies one. A few elements are a single chunk that doubles until it is as large as any.
///
/// Elements are bare bytes. A run of them that does not cross a chunk's border is a span.
@safe
struct ChunkedArray<Element: BitwiseCopyable & Sendable, Width: NodeWidth> {
  private var directory: ChunkDirectory?
  /// The directory's slots: to read through the object would count references to it each time.
  private var slots: UnsafeMutablePointer<ChunkSlot>?
  private var size: UInt32 = 0
  /// Whether no other array holds any of the chunks, as whoever sets it has made sure of.
  ///
  /// Then it is not asked at each write. While it is set, nobody takes a copy.
  var isSole = false
  /// The number of chunks that were copied while others held them; at most 65 535.
  private var copies: UInt16 = 0

  /// How many elements there are.
  private(set) var count: Int {
    @inline(__always)
    get { Int(size) }
    @inline(__always)
    set { size = UInt32(newValue) }
  }

  /// The elements of a chunk are a power of two.
  @inline(__always)
  private static var shift: Int {
    let most = Width.chunkBytes / max(leastStride, MemoryLayout<Element>.stride)
    return Int.bitWidth - 1 - most.leadingZeroBitCount
  }

  /// Smaller elements are as many a chunk as those of this size: where they are written, it is
  /// often a few here and there.
  private static var leastStride: Int { 16 }

  @inline(__always)
  private static var stride: Int { MemoryLayout<Element>.stride }

  /// There is room for so many, as soon as there is one.
  private static var fewest: Int { max(1, 32 / stride) }

  /// How many elements a chunk has.
  @inline(__always)
  static var chunkCapacity: Int { 1 << shift }

  /// An empty array, which takes no memory.
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

  /// - Complexity: O(1), and a copy of one chunk at a write to one that is shared.
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

  /// Begins to load an element, for who reads it soon, and does not wait for it.
  @inline(__always)
  func prefetch(_ index: Int) {
    precondition(UInt(bitPattern: index) < UInt(bitPattern: count), "no such element")
    unsafe cprefetch_read(address(index))
  }

  /// Elements of one chunk.
  @inline(__always)
  @_lifetime(borrow self)
  func span(_ range: Range<Int>) -> Span<Element> {
    if range.isEmpty { return Span() }
    check(range)
    let span = unsafe Span(_unsafeStart: address(range.lowerBound), count: range.count)
    return unsafe _overrideLifetime(span, borrowing: self)
  }

  /// Elements of one chunk, to be changed.
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

  /// - Complexity: O(1), amortised while the elements are few.
  mutating func append(_ element: Element) {
    if count == capacity { grow(for: count + 1) }
    own(count)
    unsafe address(count).initialize(to: element)
    count += 1
  }

  /// Appends an element so many times.
  ///
  /// - Complexity: O(count).
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

  /// Copies elements of one chunk over others of one chunk; the two may overlap.
  mutating func copy(_ source: Range<Int>, to start: Int) {
    if source.isEmpty { return }
    check(source)
    check(start..<(start + source.count))
    own(start)
    unsafe address(start).update(from: address(source.lowerBound), count: source.count)
  }

  /// Takes the last element off, or gives nil where there is none.
  ///
  /// Its place is kept for the next.
  mutating func popLast() -> Element? {
    guard count > 0 else { return nil }
    count -= 1
    return unsafe address(count).pointee
  }

  /// How many elements there is room for.
  var capacity: Int { directory?.elementCapacity ?? 0 }

  /// The bytes of the room for its elements.
  ///
  /// - Complexity: O(1).
  var byteCount: Int { directory == nil ? 0 : capacity * Self.stride + heapObjectBytes }

  /// The bytes of the chunks that were copied since ``forgetCopies()``.
  var copiedBytes: Int { Int(copies) * Self.chunkCapacity * Self.stride }

  /// Counts copied chunks anew, as nobody else holds the originals any more.
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

  /// Gives a few elements other room.
  private mutating func relocate(_ capacity: Int) {
    let (bytes, stride) = (count * Self.stride, Self.stride)
    hold(
      directory?.copy(bytes: bytes, capacity: capacity, stride: stride)
        ?? .small(capacity: capacity, stride: stride)
    )
  }

  // MARK: Sharing

  /// Makes sure that no other array holds the chunk of an element.
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

// What is shared is only read, as with the standard library's arrays; the compiler cannot see that
// through a pointer. Whoever writes is alone with the chunk: it has asked, or `isSole` says that
// its owner has asked for all of them and lends none out meanwhile (``Forest/setChanging(_:)``,
// ``RowDelta/setChanging(_:)``; a snapshot and an image refuse to be taken then).
extension ChunkedArray: @unchecked Sendable {}
