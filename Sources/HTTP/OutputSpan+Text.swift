// Appending pieces of text to a span with sufficient capacity. Too little capacity traps.
extension OutputSpan where Element == UInt8 {
  /// Appends a constant directly from the program's memory.
  @inline(always)
  mutating func append(_ text: StaticString) {
    unsafe copy(UnsafeRawPointer(text.utf8Start), text.utf8CodeUnitCount)
  }

  /// Appends bytes.
  @inline(always)
  mutating func append(_ bytes: Span<UInt8>) {
    unsafe bytes.withUnsafeBytes { bytes in
      if let first = bytes.baseAddress { unsafe copy(first, bytes.count) }
    }
  }

  /// Appends the eight bytes of a word, the lowest first.
  @inline(always)
  mutating func append(bytesOf word: UInt64) {
    var word = word.littleEndian
    unsafe copy(&word, 8)
  }

  /// Appends a non-negative number in decimal digits.
  mutating func append(decimal number: Int) {
    let (tens, units) = number.quotientAndRemainder(dividingBy: 10)
    if tens > 0 { append(decimal: tens) }
    append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: units))
  }

  @inline(always)
  private mutating func copy(_ bytes: UnsafeRawPointer, _ count: Int) {
    precondition(count <= freeCapacity, "no room for a piece")
    unsafe withUnsafeMutableBufferPointer { buffer, filled in
      // A buffer with capacity has an address.
      let start = unsafe UnsafeMutableRawPointer(buffer.baseAddress.unsafelyUnwrapped)
      unsafe (start + filled).copyMemory(from: bytes, byteCount: count)
      filled += count
    }
  }
}

extension Array where Element == UInt8 {
  /// Appends a constant directly from the program's memory, without creating a `String`.
  mutating func append(_ text: StaticString) {
    unsafe append(
      contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    )
  }
}
