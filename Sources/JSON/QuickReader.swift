/// Reads what is written as programs write it: whole, without a fault and without escapes.
///
/// It says no more than that something else is there: what that is, and whether it is a fault,
/// ``JSONReader`` finds out, which then goes on from the last place where all was well. What it
/// does read has been checked as strictly.
///
/// Its functions are short and end up inside the loops that call them, with the offset in a
/// register. After one that did not succeed the offset means nothing.
public struct QuickReader {
  /// The offset of the next byte.
  public var offset: Int

  /// Starts at an offset of 0 or more.
  @inlinable
  public init(at offset: Int) {
    self.offset = offset
  }

  /// Passes white space.
  @inlinable
  @inline(__always)
  public mutating func passSpace(_ text: Span<UInt8>) {
    if let byte = Scan.byte(text, offset), byte <= Ascii.space {
      offset = Scan.spaceEnd(text, offset)
    }
  }

  /// Whether a byte comes next.
  @inlinable
  @inline(__always)
  public func isBefore(_ byte: UInt8, _ text: Span<UInt8>) -> Bool {
    Scan.byte(text, offset) == byte
  }

  /// Passes a byte of punctuation, and white space before it.
  ///
  /// Where another byte stands, the offset stays.
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

  /// Passes the elements of an array, of which there is one at least, and its end.
  ///
  /// - Parameters:
  ///   - text: The text, in which the first element, or white space before it, comes next.
  ///   - element: Passes an element; `false` where anything else comes.
  /// - Returns: Whether all of it was passed.
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

  /// Passes a text of up to sixteen bytes; where another one stands, the offset stays.
  ///
  /// So a comma, the name of a member and its colon cost as much as two bytes of them.
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

  /// Passes the name of a member and its colon, and stands before its value then.
  ///
  /// - Returns: The name; `nil` also for one of more than fifteen bytes.
  @inlinable
  @inline(__always)
  public mutating func name(_ text: Span<UInt8>) -> PackedName? {
    guard pass(Ascii.quote, text), let name = packed(text), pass(Ascii.colon, text) else {
      return nil
    }
    passSpace(text)
    return name
  }

  /// Passes a string that may be one of a few words.
  ///
  /// - Returns: The string; `nil` also for one of more than fifteen bytes.
  @inlinable
  @inline(__always)
  public mutating func word(_ text: Span<UInt8>) -> PackedName? {
    guard Scan.byte(text, offset) == Ascii.quote else { return nil }
    offset &+= 1
    return packed(text)
  }

  /// Passes the bytes of a string, of which nothing is checked, and its closing quote.
  @inlinable
  @inline(__always)
  mutating func packed(_ text: Span<UInt8>) -> PackedName? {
    guard let low = Scan.word(text, offset) else { return nil }
    let stops = Scan.stops(at: Ascii.quote, in: low)
    if stops != 0 {
      offset &+= stops.trailingZeroBitCount / 8 &+ 1
      // Everything up to the quote and with it.
      return PackedName(low: low & (stops ^ (stops &- 1)), high: 0)
    }
    guard let high = Scan.word(text, offset &+ 8) else { return nil }
    let laterStops = Scan.stops(at: Ascii.quote, in: high)
    guard laterStops != 0 else { return nil }
    offset &+= laterStops.trailingZeroBitCount / 8 &+ 9
    return PackedName(low: low, high: high & (laterStops ^ (laterStops &- 1)))
  }

  /// Passes a string.
  ///
  /// - Returns: Where its bytes stand, between the quotes.
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

  /// Passes an integer of 0 or more and up to eight digits.
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

  /// Passes `true` or `false`.
  @inlinable
  @inline(__always)
  public mutating func boolean(_ text: Span<UInt8>) -> Bool? {
    if pass(literal: Ascii.trueWord, count: 4, text) { return true }
    return pass(literal: Ascii.falseWord, count: 5, text) ? false : nil
  }

  /// Passes `null`.
  @inlinable
  @inline(__always)
  public mutating func null(_ text: Span<UInt8>) -> Bool {
    pass(literal: Ascii.nullWord, count: 4, text)
  }

  /// Passes a literal; where another value stands, the offset stays.
  @inlinable
  @inline(__always)
  mutating func pass(literal: UInt64, count: Int, _ text: Span<UInt8>) -> Bool {
    guard let word = Scan.word(text, offset) else { return false }
    guard (word ^ literal) &<< UInt64(64 &- 8 &* count) == 0 else { return false }
    offset &+= count
    return true
  }

  /// Passes a value of any kind.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - maxDepth: How deep arrays and objects may be nested in the value.
  /// - Returns: Where it stands.
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
