// Pieces of JSON written one behind the other into room that is there.
extension MutableSpan where Element == UInt8 {
  /// Puts a constant that is JSON already, or a part of it: a comma, a member's name and a colon
  /// are copied in a few moves.
  @inlinable @inline(__always)
  public mutating func put(_ json: StaticString, _ i: inout Int) {
    JSONWriter.copy(json, to: &self, &i)
  }

  /// Puts an object, whose members are each put with a comma before it; in place of the first comma
  /// the object is opened.
  @inlinable @inline(__always)
  public mutating func putObject(
    _ i: inout Int,
    _ put: (_ span: inout MutableSpan<UInt8>, _ i: inout Int) -> Void
  ) {
    let start = i
    put(&self, &i)
    if i == start { i &+= 1 }
    self[start] = Ascii.openBrace
    self[i] = Ascii.closeBrace
    i &+= 1
  }

  /// Puts text that is JSON already.
  @inlinable @inline(__always)
  public mutating func put(json: Span<UInt8>, _ i: inout Int) {
    JSONWriter.copy(json, to: &self, &i)
  }

  /// Puts an integer, of twenty bytes at most.
  @inlinable @inline(__always)
  public mutating func put(_ value: Int, _ i: inout Int) {
    guard 0..<10 ~= value else { return put(digits: value.magnitude, isNegative: value < 0, &i) }
    self[i] = Ascii.zero &+ UInt8(truncatingIfNeeded: value)
    i &+= 1
  }

  /// Puts an integer, or `null` when there is none.
  public mutating func put(orNull value: Int?, _ i: inout Int) {
    if let value { put(value, &i) } else { put("null", &i) }
  }

  /// Puts `true` or `false`.
  public mutating func put(_ value: Bool, _ i: inout Int) {
    if value { put("true", &i) } else { put("false", &i) }
  }

  /// Puts a string, given as valid UTF-8 that is not escaped.
  ///
  /// Each byte may take six, as ``JSONWriter/room(forString:)`` says.
  @inlinable @inline(__always)
  public mutating func put(string utf8: Span<UInt8>, _ i: inout Int) {
    self[i] = Ascii.quote
    i &+= 1
    if put(plain: utf8, at: i) { i &+= utf8.count } else { put(escaping: utf8, &i) }
    self[i] = Ascii.quote
    i &+= 1
  }

  @usableFromInline @inline(never)
  mutating func put(escaping utf8: Span<UInt8>, _ i: inout Int) {
    for place in utf8.indices { put(character: utf8[place], &i) }
  }

  @usableFromInline
  mutating func put(digits value: UInt, isNegative: Bool, _ i: inout Int) {
    if isNegative {
      self[i] = Ascii.minus
      i &+= 1
    }
    let (high, low) = value.quotientAndRemainder(dividingBy: 100_000_000)
    if high > 0 {
      put(digits: high, isNegative: false, &i)
      put(Self.eightDigits(low) | Scan.ones &* UInt64(Ascii.zero), at: i)
      return i &+= 8
    }
    let digits = Self.eightDigits(low)
    // Zeros before the first digit are not written; the last one stands even if it is one.
    let zeros = min(digits.trailingZeroBitCount / 8, 7)
    let word = (digits | Scan.ones &* UInt64(Ascii.zero)) &>> UInt64(8 &* zeros)
    put(word, at: i)
    i &+= 8 &- zeros
  }

  /// The decimal digits of a value of up to eight, one a byte, the first one lowest.
  ///
  /// Halves are halved, all of them at once: 10 486 · 2⁻²⁰ and 103 · 2⁻¹⁰ are a hundredth and a
  /// tenth as exactly as four and two digits need.
  @usableFromInline
  @inline(__always)
  static func eightDigits(_ value: UInt) -> UInt64 {
    let (high, low) = value.quotientAndRemainder(dividingBy: 10_000)
    let fours = UInt64(high) | UInt64(low) &<< 32
    let hundreds = (fours &* 10_486) &>> 20 & 0x0000_007F_0000_007F
    let pairs = hundreds | (fours &- hundreds &* 100) &<< 16
    let tens = (pairs &* 103) &>> 10 & 0x000F_000F_000F_000F
    return tens | (pairs &- tens &* 10) &<< 8
  }

  private mutating func put(character byte: UInt8, _ i: inout Int) {
    guard Scan.mustBeEscaped(byte) else {
      self[i] = byte
      i &+= 1
      return
    }
    let short: UInt8? =
      switch byte {
      case Ascii.quote, Ascii.backslash: byte
      case 0x08: Ascii.b
      case 0x0C: Ascii.f
      case Ascii.newline: Ascii.n
      case Ascii.carriageReturn: Ascii.r
      case Ascii.tab: Ascii.t
      default: nil
      }
    self[i] = Ascii.backslash
    i &+= 1
    if let short {
      self[i] = short
      i &+= 1
      return
    }
    put(byte < 0x10 ? "u000" : "u001", &i)
    let low = byte & 0x0F
    self[i] = low < 10 ? Ascii.zero &+ low : 0x57 &+ low
    i &+= 1
  }
}
