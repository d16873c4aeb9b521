// Pieces of JSON.
extension JSONRoom {
  /// Puts an object, whose members are each put with a comma before it.
  @inlinable @inline(always)
  public mutating func putObject(_ members: (_ room: inout JSONRoom) -> Void) {
    put(from: Ascii.openBrace, to: Ascii.closeBrace, members)
  }

  /// Puts an array, whose values are each put with a comma before it.
  @inlinable @inline(always)
  public mutating func putArray(_ values: (_ room: inout JSONRoom) -> Void) {
    put(from: Ascii.openBracket, to: Ascii.closeBracket, values)
  }

  /// Puts an integer, of twenty bytes at most.
  @inlinable @inline(always)
  public mutating func put(_ value: Int) { put("", value) }

  /// Puts an integer, or `null` when there is none.
  @inlinable
  public mutating func put(orNull value: Int?) {
    if let value { put(value) } else { put("null") }
  }

  /// Puts `true` or `false`.
  @inlinable
  public mutating func put(_ value: Bool) {
    if value { put("true") } else { put("false") }
  }

  /// Puts a string, given as valid UTF-8 that is not escaped.
  ///
  /// Each byte may take six, as ``JSONWriter/room(forString:)`` says.
  @inlinable @inline(always)
  public mutating func put(string utf8: Span<UInt8>) { put("\"", string: utf8) }

  // What is not inlined is handed the room and hands it back: given its address, the compiler would
  // have to keep it in memory.

  /// Puts the rest of a string, in which something must be escaped, and its closing quote.
  @usableFromInline @inline(never)
  static func put(escaping utf8: Span<UInt8>, into room: consuming JSONRoom) -> JSONRoom {
    for place in utf8.indices { room.put(character: utf8[place]) }
    room.put(byte: Ascii.quote)
    return room
  }

  /// Puts the digits of a number.
  @inlinable @inline(always)
  mutating func put(digits value: UInt, isNegative: Bool) {
    self = Self.put(digits: value, isNegative: isNegative, into: self)
  }

  @usableFromInline @inline(never)
  static func put(
    digits value: UInt,
    isNegative: Bool,
    into room: consuming JSONRoom
  ) -> JSONRoom {
    if isNegative { room.put(byte: Ascii.minus) }
    let (high, low) = value.quotientAndRemainder(dividingBy: 100_000_000)
    if high > 0 {
      room = put(digits: high, isNegative: false, into: room)
      room.put(Self.eightDigits(low) | Scan.ones &* UInt64(Ascii.zero), first: 8)
      return room
    }
    let digits = Self.eightDigits(low)
    // Zeros before the first digit are not written; the last one stands even if it is one.
    let zeros = min(digits.trailingZeroBitCount / 8, 7)
    let word = (digits | Scan.ones &* UInt64(Ascii.zero)) &>> UInt64(8 &* zeros)
    room.put(word, first: 8 &- zeros)
    return room
  }

  /// The decimal digits of a value of up to eight, one a byte, the first one lowest.
  ///
  /// Halves are halved, all of them at once: 10 486 · 2⁻²⁰ and 103 · 2⁻¹⁰ are a hundredth and a
  /// tenth as exactly as four and two digits need.
  private static func eightDigits(_ value: UInt) -> UInt64 {
    let (high, low) = value.quotientAndRemainder(dividingBy: 10_000)
    let fours = UInt64(high) | UInt64(low) &<< 32
    let hundreds = (fours &* 10_486) &>> 20 & 0x0000_007F_0000_007F
    let pairs = hundreds | (fours &- hundreds &* 100) &<< 16
    let tens = (pairs &* 103) &>> 10 & 0x000F_000F_000F_000F
    return tens | (pairs &- tens &* 10) &<< 8
  }

  private mutating func put(character byte: UInt8) {
    guard Scan.mustBeEscaped(byte) else { return put(byte: byte) }
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
    put(byte: Ascii.backslash)
    if let short { return put(byte: short) }
    put(byte < 0x10 ? "u000" : "u001")
    let low = byte & 0x0F
    put(byte: low < 10 ? Ascii.zero &+ low : 0x57 &+ low)
  }
}
