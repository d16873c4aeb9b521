// Writes JSON values. Every function requires enough room for the result.
extension JSONRoom {
  /// Writes an object.
  ///
  /// The closure must write each member with a comma before it.
  @inlinable @inline(always)
  public mutating func putObject(_ members: (_ room: inout JSONRoom) -> Void) {
    put(from: Ascii.openBrace, to: Ascii.closeBrace, members)
  }

  /// Writes an array.
  ///
  /// The closure must write each value with a comma before it.
  @inlinable @inline(always)
  public mutating func putArray(_ values: (_ room: inout JSONRoom) -> Void) {
    put(from: Ascii.openBracket, to: Ascii.closeBracket, values)
  }

  /// Writes an integer, in at most twenty bytes.
  @inlinable @inline(always)
  public mutating func put(_ value: Int) { put("", value) }

  /// Writes an integer, or `null` if there is none.
  @inlinable
  public mutating func put(orNull value: Int?) {
    if let value { put(value) } else { put("null") }
  }

  /// Writes `true` or `false`.
  @inlinable
  public mutating func put(_ value: Bool) {
    if value { put("true") } else { put("false") }
  }

  /// Writes a string, given as valid, unescaped UTF-8.
  ///
  /// A byte may take six after escaping; see ``JSONWriter/room(forString:)``.
  @inlinable @inline(always)
  public mutating func put(string utf8: Span<UInt8>) { put("\"", string: utf8) }

  // Functions that are not inlined consume the room and return it. Passing its address would force
  // the compiler to keep it in memory.

  /// Writes the content of a string that needs escapes, and its closing quote.
  @usableFromInline @inline(never)
  static func put(escaping utf8: Span<UInt8>, into room: consuming JSONRoom) -> JSONRoom {
    for place in utf8.indices { room.put(character: utf8[place]) }
    room.put(byte: Ascii.quote)
    return room
  }

  /// Writes the decimal digits of a number.
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
    // Leading zeros are dropped, but at least one digit remains.
    let zeros = min(digits.trailingZeroBitCount / 8, 7)
    let word = (digits | Scan.ones &* UInt64(Ascii.zero)) &>> UInt64(8 &* zeros)
    room.put(word, first: 8 &- zeros)
    return room
  }

  /// Returns eight decimal digits of a value below 10⁸, one a byte, the first one lowest.
  ///
  /// Splits in parallel into fours, pairs and single digits. Multiplying by 10 486 · 2⁻²⁰ and by
  /// 103 · 2⁻¹⁰ divides by 100 and 10 exactly for values of four and two digits.
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
