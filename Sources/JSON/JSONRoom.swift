/// A cursor over free buffer space, for writing JSON piece by piece.
///
/// It is two addresses, which the compiler keeps in registers where the writing is inlined. A span
/// with an offset would be checked and stored for each piece. ``JSONWriter`` lends it; because it
/// cannot be copied, it does not outlive the loan.
///
/// - Precondition: Each piece fits; writing more traps.
@safe public struct JSONRoom: ~Copyable {
  /// The address for the next byte.
  @usableFromInline var next: UnsafeMutableRawPointer
  /// The address after the last byte.
  @usableFromInline let end: UnsafeMutableRawPointer

  /// Creates a cursor over the part of a buffer that begins at an offset.
  @inlinable @inline(always)
  init(_ buffer: UnsafeMutableRawBufferPointer, from start: Int) {
    precondition(0...buffer.count ~= start, "room outside of its buffer")
    // The caller's buffer is not empty, so it has an address.
    let first = unsafe buffer.baseAddress.unsafelyUnwrapped
    unsafe (next, end) = (first + start, first + buffer.count)
  }

  /// The number of bytes that still fit.
  @inlinable @inline(always)
  public var left: Int { unsafe end - next }

  /// Writes a byte.
  @inlinable @inline(always)
  public mutating func put(byte: UInt8) {
    precondition(left > 0, "no room for a byte")
    unsafe copy(byte: byte)
  }

  /// Writes the first `count` bytes of a word, the lowest first.
  ///
  /// The whole word must fit.
  @inlinable @inline(always)
  mutating func put<Word: FixedWidthInteger & BitwiseCopyable>(_ word: Word, first count: Int) {
    precondition(left >= MemoryLayout<Word>.size, "no room for a word")
    unsafe next.storeBytes(of: word, as: Word.self)
    unsafe next += count
  }

  /// Writes the eight bytes of a word, the lowest first.
  @inlinable @inline(always)
  public mutating func put(bytesOf word: UInt64) { put(word.littleEndian, first: 8) }

  /// Writes the bytes of a constant.
  @inlinable @inline(always)
  public mutating func put(_ json: StaticString) {
    precondition(json.utf8CodeUnitCount <= left, "no room for a piece")
    unsafe copy(json)
  }

  /// Writes a constant followed by text that is already JSON.
  @inlinable @inline(always)
  public mutating func put(_ start: StaticString = "", json: Span<UInt8>) {
    precondition(start.utf8CodeUnitCount &+ json.count <= left, "no room for a piece")
    unsafe copy(start)
    unsafe json.withUnsafeBytes { bytes in
      guard let first = bytes.baseAddress else { return }
      switch bytes.count {
      case 32...64: unsafe copy(first, bytes.count, block: 32)
      case 65...128: unsafe copy(first, bytes.count, block: 64)
      default: unsafe copy(first, bytes.count)
      }
    }
  }

  /// Writes a constant followed by an integer of at most twenty bytes.
  @inlinable @inline(always)
  public mutating func put(_ start: StaticString, _ value: Int) {
    precondition(start.utf8CodeUnitCount < left, "no room for a number")
    unsafe copy(start)
    if 0..<10 ~= value {
      unsafe copy(byte: Ascii.zero &+ UInt8(truncatingIfNeeded: value))
    } else {
      put(digits: value.magnitude, isNegative: value < 0)
    }
  }

  /// Writes a constant that ends with the opening quote, then the string and its closing quote.
  @inlinable @inline(always)
  public mutating func put(_ start: StaticString, string utf8: Span<UInt8>) {
    precondition(start.utf8CodeUnitCount &+ utf8.count < left, "no room for a string")
    unsafe copy(start)
    if unsafe copy(plain: utf8) {
      unsafe copy(byte: Ascii.quote)
    } else {
      self = Self.put(escaping: utf8, into: self)
    }
  }

  // The functions below do not check for room, because their callers did. A check of each piece
  // was measured as 8 % of the time to write a row.

  /// Copies one or two blocks of a fixed size; the second may overlap the first.
  ///
  /// Most objects are that short, and a call of `memcpy` would take as long again.
  @inlinable @inline(always) @unsafe
  mutating func copy(_ bytes: UnsafeRawPointer, _ count: Int, block: Int) {
    let last = count &- block
    unsafe next.copyMemory(from: bytes, byteCount: block)
    unsafe (next + last).copyMemory(from: bytes + last, byteCount: block)
    unsafe next += count
  }

  /// Writes brackets around values that each begin with a comma.
  ///
  /// The opening bracket replaces the first comma.
  @inlinable @inline(always)
  mutating func put(
    from opening: UInt8,
    to closing: UInt8,
    _ members: (_ room: inout JSONRoom) -> Void
  ) {
    let start = unsafe next
    members(&self)
    if unsafe next == start { put(byte: opening) }
    unsafe start.storeBytes(of: opening, as: UInt8.self)
    put(byte: closing)
  }

  @inlinable @inline(always) @unsafe
  mutating func copy(_ bytes: UnsafeRawPointer, _ count: Int) {
    unsafe next.copyMemory(from: bytes, byteCount: count)
    unsafe next += count
  }

  @inlinable @inline(always) @unsafe
  mutating func copy(_ json: StaticString) {
    unsafe copy(UnsafeRawPointer(json.utf8Start), json.utf8CodeUnitCount)
  }

  @inlinable @inline(always) @unsafe
  mutating func copy(byte: UInt8) {
    unsafe next.storeBytes(of: byte, as: UInt8.self)
    unsafe next += 1
  }

  /// Copies text and returns true if none of it needs escaping.
  ///
  /// Otherwise returns false.
  ///
  /// Checks and copies eight bytes at a time; the last eight may overlap those before them.
  @inlinable @inline(always) @unsafe
  mutating func copy(plain text: Span<UInt8>) -> Bool {
    let count = text.count
    guard let last = Scan.word(text, count &- 8) else { return unsafe copy(short: text) }
    var place = 0
    while place < count &- 8, let word = Scan.word(text, place) {
      guard !Scan.mustBeEscaped(anyOf: word) else { return false }
      unsafe next.storeBytes(of: word, toByteOffset: place, as: UInt64.self)
      place &+= 8
    }
    guard !Scan.mustBeEscaped(anyOf: last) else { return false }
    unsafe next.storeBytes(of: last, toByteOffset: count &- 8, as: UInt64.self)
    unsafe next += count
    return true
  }

  /// Does the same as `copy(plain:)` for fewer than eight bytes.
  @inlinable @inline(always) @unsafe
  mutating func copy(short text: Span<UInt8>) -> Bool {
    let count = text.count
    if let first = Scan.half(text, 0), let last = Scan.half(text, count &- 4) {
      guard !Scan.mustBeEscaped(anyOf: UInt64(first) | UInt64(last) &<< 32) else { return false }
      unsafe next.storeBytes(of: first, as: UInt32.self)
      unsafe next.storeBytes(of: last, toByteOffset: count &- 4, as: UInt32.self)
    } else {
      for place in text.indices {
        guard !Scan.mustBeEscaped(text[place]) else { return false }
        unsafe next.storeBytes(of: text[place], toByteOffset: place, as: UInt8.self)
      }
    }
    unsafe next += count
    return true
  }
}
