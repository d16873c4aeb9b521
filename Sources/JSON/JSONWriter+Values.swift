extension JSONWriter {
  /// Writes a signed integer.
  public mutating func integer(_ value: Int) {
    digits(of: value.magnitude, isNegative: value < 0)
  }

  /// Writes an unsigned integer.
  public mutating func integer(_ value: UInt64) {
    digits(of: UInt(value), isNegative: false)
  }

  /// Writes an integer, or `null` if there is none.
  public mutating func integer(orNull value: Int?) {
    if let value {
      integer(value)
    } else {
      null()
    }
  }

  /// Writes a string from a slice of bytes.
  ///
  /// - Parameter utf8: Valid UTF-8, not escaped.
  public mutating func string(_ utf8: ArraySlice<UInt8>) { string(utf8.span) }

  /// Writes a string from a span of bytes.
  ///
  /// - Parameter utf8: Valid UTF-8, not escaped.
  public mutating func string(_ utf8: Span<UInt8>) {
    // A long string without escapes reserves its own length instead of six times as much.
    let isPlain = utf8.count > 64 && Scan.unescaped(utf8, 0) == utf8.count
    let room = isPlain ? utf8.count &+ 2 : JSONWriter.room(forString: utf8.count)
    token(roomFor: room) { $0.put(string: utf8) }
  }

  /// Returns the maximum length of an escaped string with its quotes, for `count` bytes of UTF-8.
  @inlinable
  public static func room(forString count: Int) -> Int { 6 &* count &+ 2 }

  /// Returns the approximate number of bytes that a string takes with quotes and escapes.
  ///
  /// - Precondition: The bytes are valid UTF-8.
  /// - Complexity: O(bytes).
  public static func byteCount(ofString utf8: Span<UInt8>) -> Int {
    var count = utf8.count &+ 2
    for place in utf8.indices {
      switch utf8[place] {
      case 0..<0x20: count &+= 5
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): count &+= 1
      default: break
      }
    }
    return count
  }

  /// Writes a string.
  public mutating func string(_ value: String) {
    string(Array(value.utf8)[...])
  }

  /// Writes a string that needs no escapes.
  @inlinable
  public mutating func string(_ constant: StaticString) {
    token(roomFor: constant.utf8CodeUnitCount &+ 2) { room in
      room.put(byte: Ascii.quote)
      room.put(constant)
      room.put(byte: Ascii.quote)
    }
  }

  /// Writes a member whose name and value are already JSON.
  mutating func member(_ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) {
    self.name(written: name)
    raw(value)
  }

  private mutating func digits(of value: UInt, isNegative: Bool) {
    token(roomFor: 20) { $0.put(digits: value, isNegative: isNegative) }
  }
}
