/// A fast path for JSON in the form that programs write: complete, valid and without escapes.
///
/// A function returns `nil` or false if the text has any other form or a fault. The caller then
/// continues with ``JSONReader`` from the last good offset. All bytes that it accepts are checked
/// as strictly as by ``JSONReader``, unless a function says otherwise.
///
/// Its functions are short and inlined into the caller's loops, so that the offset stays in a
/// register. After a function fails, the offset is unspecified unless stated.
public struct QuickReader {
  /// The offset of the next byte.
  public var offset: Int

  /// Creates a reader that starts at an offset of 0 or more.
  @inlinable
  public init(at offset: Int) {
    self.offset = offset
  }

  /// Skips white space.
  @inlinable
  @inline(__always)
  public mutating func passSpace(_ text: Span<UInt8>) {
    if let byte = Scan.byte(text, offset), byte <= Ascii.space {
      offset = Scan.spaceEnd(text, offset)
    }
  }

  /// Returns true if a byte comes next.
  @inlinable
  @inline(__always)
  public func isBefore(_ byte: UInt8, _ text: Span<UInt8>) -> Bool {
    Scan.byte(text, offset) == byte
  }

  /// Consumes white space and then a byte of punctuation.
  ///
  /// If another byte comes, the offset does not change.
  @inlinable
  @inline(__always)
  public mutating func pass(_ punctuation: UInt8, _ text: Span<UInt8>) -> Bool {
    guard let byte = Scan.byte(text, offset) else { return false }
    if byte == punctuation {
      offset &+= 1
      return true
    }
    guard byte <= Ascii.space, let end = Scan.spaceAndByte(text, offset, punctuation) else {
      return false
    }
    offset = end
    return true
  }

  /// Consumes the elements of an array, at least one, and its closing bracket.
  ///
  /// - Parameters:
  ///   - text: The text. The first element, or white space before it, comes next.
  ///   - element: Consumes an element, or returns false if it cannot.
  /// - Returns: True if the array was consumed.
  @inlinable
  @inline(__always)
  public mutating func passList(
    _ text: Span<UInt8>,
    _ element: (inout QuickReader) -> Bool
  ) -> Bool {
    repeat {
      guard element(&self) else { return false }
    } while pass(UInt8(ascii: ","), text)
    return pass(UInt8(ascii: "]"), text)
  }

  /// Consumes a text of up to sixteen bytes.
  ///
  /// If another text comes, the offset does not change.
  ///
  /// A comma, a member's name and its colon thereby cost two comparisons of words.
  @inlinable
  @inline(__always)
  public mutating func pass(_ expected: StaticString, _ text: Span<UInt8>) -> Bool {
    let count = expected.utf8CodeUnitCount
    let packed = PackedName(expected, before: 0)
    guard let low = Scan.word(text, offset) else { return false }
    if count <= 8 {
      guard (low ^ packed.low) &<< UInt64(64 &- 8 &* count) == 0 else { return false }
    } else {
      guard
        low == packed.low, let high = Scan.word(text, offset &+ 8),
        (high ^ packed.high) &<< UInt64(128 &- 8 &* count) == 0
      else { return false }
    }
    offset &+= count
    return true
  }

  /// Consumes a member's name and colon, and the white space before its value.
  ///
  /// - Returns: The name, or `nil`, also if it has more than fifteen bytes.
  @inlinable
  @inline(__always)
  public mutating func name(_ text: Span<UInt8>) -> PackedName? {
    guard pass(Ascii.quote, text), let name = packed(text), pass(Ascii.colon, text) else {
      return nil
    }
    passSpace(text)
    return name
  }

  /// Consumes a short string, for comparison with known words.
  ///
  /// Its bytes are not validated.
  ///
  /// - Returns: The string, or `nil`, also if it has more than fifteen bytes.
  @inlinable
  @inline(__always)
  public mutating func word(_ text: Span<UInt8>) -> PackedName? {
    guard Scan.byte(text, offset) == Ascii.quote else { return nil }
    offset &+= 1
    return packed(text)
  }

  /// Consumes the bytes of a string, without checking them, and its closing quote.
  @inlinable
  @inline(__always)
  mutating func packed(_ text: Span<UInt8>) -> PackedName? {
    guard let low = Scan.word(text, offset) else { return nil }
    let stops = Scan.stops(at: Ascii.quote, in: low)
    if stops != 0 {
      offset &+= stops.trailingZeroBitCount / 8 &+ 1
      // Keeps the bytes up to the quote and the quote itself.
      return PackedName(low: low & (stops ^ (stops &- 1)), high: 0)
    }
    guard let high = Scan.word(text, offset &+ 8) else { return nil }
    let laterStops = Scan.stops(at: Ascii.quote, in: high)
    guard laterStops != 0 else { return nil }
    offset &+= laterStops.trailingZeroBitCount / 8 &+ 9
    return PackedName(low: low, high: high & (laterStops ^ (laterStops &- 1)))
  }

  /// Consumes a string without escapes.
  ///
  /// - Returns: The range of its bytes between the quotes, or `nil`.
  @inlinable
  @inline(__always)
  public mutating func string(_ text: Span<UInt8>) -> Range<Int>? {
    guard Scan.byte(text, offset) == Ascii.quote else { return nil }
    let start = offset &+ 1
    var end = Scan.plain(text, start)
    if Scan.byte(text, end) != Ascii.quote {
      end = Scan.plainWithMultibytes(text, end)
      guard Scan.byte(text, end) == Ascii.quote else { return nil }
    }
    guard end >= start else { return nil }
    offset = end &+ 1
    return start..<end
  }

  /// Consumes a non-negative integer of up to eight digits, without leading zeros.
  @inlinable
  @inline(__always)
  public mutating func integer(_ text: Span<UInt8>) -> Int? {
    guard let word = Scan.word(text, offset) else { return nil }
    let end = Scan.digitCount(word) &+ offset
    guard end > offset, let next = Scan.byte(text, end), Scan.isEnd(next) else { return nil }
    guard end == offset &+ 1 || word & 0xFF != UInt64(Ascii.zero) else { return nil }
    var value: UInt64 = 0
    var digits = word
    while offset < end {
      value = value &* 10 &+ (digits & 0xF)
      digits &>>= 8
      offset &+= 1
    }
    return Int(truncatingIfNeeded: value)
  }

  /// Consumes `true` or `false`.
  @inlinable
  @inline(__always)
  public mutating func boolean(_ text: Span<UInt8>) -> Bool? {
    if pass(literal: Ascii.trueWord, count: 4, text) { return true }
    return pass(literal: Ascii.falseWord, count: 5, text) ? false : nil
  }

  /// Consumes `null`.
  @inlinable
  @inline(__always)
  public mutating func null(_ text: Span<UInt8>) -> Bool {
    pass(literal: Ascii.nullWord, count: 4, text)
  }

  /// Consumes a literal.
  ///
  /// If another value comes, the offset does not change.
  @inlinable
  @inline(__always)
  mutating func pass(literal: UInt64, count: Int, _ text: Span<UInt8>) -> Bool {
    guard let word = Scan.word(text, offset) else { return false }
    guard (word ^ literal) &<< UInt64(64 &- 8 &* count) == 0 else { return false }
    offset &+= count
    return true
  }

  /// Consumes and validates a value of any kind.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - maxDepth: The maximum nesting of arrays and objects in the value.
  /// - Returns: The range of the value, or `nil` if it has a fault.
  /// - Complexity: O(length of the value), without recursion.
  @inlinable
  @inline(__always)
  public mutating func value(
    _ text: Span<UInt8>,
    maxDepth: Int
  ) -> Range<Int>? {
    let start = offset
    do throws(JSONError) {
      offset = try ValueScan.end(text, from: start, depth: 0, maxDepth: maxDepth)
      return start..<offset
    } catch {
      return nil
    }
  }
}
