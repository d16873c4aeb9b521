/// Appends JSON text to a byte buffer.
///
/// Commas and colons are set by the writer; the caller says what comes next and is trusted to open
/// and close in order. Nothing is escaped that RFC 8259 section 7 does not ask for.
public struct JSONWriter {
  /// What has been written.
  public private(set) var bytes: [UInt8]
  /// Whether the next value or name must be preceded by a comma.
  private var needsComma = false

  /// Starts behind what a buffer already holds.
  ///
  /// - Parameter bytes: The buffer to append to; its capacity is kept.
  public init(appendingTo bytes: consuming [UInt8] = []) {
    self.bytes = bytes
  }

  /// Opens an object.
  public mutating func beginObject() {
    separate()
    bytes.append(Ascii.openBrace)
    needsComma = false
  }

  /// Closes an object.
  public mutating func endObject() {
    bytes.append(Ascii.closeBrace)
    needsComma = true
  }

  /// Opens an array.
  public mutating func beginArray() {
    separate()
    bytes.append(Ascii.openBracket)
    needsComma = false
  }

  /// Closes an array.
  public mutating func endArray() {
    bytes.append(Ascii.closeBracket)
    needsComma = true
  }

  /// Writes a member's name; its value must follow.
  ///
  /// - Parameter name: A name that needs no escapes.
  @inline(__always)
  public mutating func name(_ name: StaticString) {
    separate()
    bytes.append(Ascii.quote)
    append(name)
    bytes.append(Ascii.quote)
    bytes.append(Ascii.colon)
    needsComma = false
  }

  /// Writes a member's name that is JSON already, with its quotes.
  mutating func name(written name: ArraySlice<UInt8>) {
    separate()
    bytes.append(contentsOf: name)
    bytes.append(Ascii.colon)
    needsComma = false
  }

  /// Writes a member whose name and value are JSON already.
  mutating func member(_ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) {
    self.name(written: name)
    raw(value)
  }

  /// Writes `null`.
  public mutating func null() {
    separate()
    append("null")
  }

  /// Writes `true` or `false`.
  public mutating func boolean(_ value: Bool) {
    separate()
    append(value ? "true" : "false")
  }

  /// Writes text that is JSON already, byte for byte.
  ///
  /// - Parameter json: Exactly one valid value.
  public mutating func raw(_ json: ArraySlice<UInt8>) {
    separate()
    bytes.append(contentsOf: json)
  }

  /// Sets the comma that is due, and makes the next one due.
  @inline(__always)
  mutating func separate() {
    if needsComma {
      bytes.append(Ascii.comma)
    }
    needsComma = true
  }

  /// Appends bytes without any care for commas.
  @inline(__always)
  mutating func append(_ constant: StaticString) {
    // The only unsafe read of this module: StaticString gives its bytes no other way.
    unsafe bytes.append(
      contentsOf: UnsafeBufferPointer(
        start: constant.utf8Start,
        count: constant.utf8CodeUnitCount
      )
    )
  }

  mutating func append(_ byte: UInt8) {
    bytes.append(byte)
  }

  mutating func append(contentsOf slice: ArraySlice<UInt8>) {
    bytes.append(contentsOf: slice)
  }
}
