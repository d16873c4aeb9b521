/// A writer that appends JSON text to a byte buffer.
///
/// It inserts commas and colons. The caller must open and close brackets in order. Only what
/// RFC 8259 section 7 requires is escaped.
///
/// Functions that write constants are inlined, so that a member's name costs a few stores.
public struct JSONWriter {
  /// The text, followed by free space of unspecified content.
  ///
  /// A token is written into the space at once: measured 1.7 times as fast as appending its pieces
  /// to an array.
  @usableFromInline var storage: [UInt8]
  /// The number of bytes of `storage` that are text.
  @usableFromInline var written: Int
  /// True if the next value or name needs a comma before it.
  @usableFromInline var needsComma = false

  /// Creates a writer that appends to a buffer.
  ///
  /// - Parameter bytes: The buffer to append to.
  public init(appendingTo bytes: consuming [UInt8] = []) {
    written = bytes.count
    storage = bytes
  }

  /// The number of bytes of text, those of the initial buffer included.
  public var count: Int { written }

  /// Makes room for more bytes at once.
  public mutating func reserve(_ bytes: Int) {
    if storage.count &- written < bytes { grow(by: bytes) }
  }

  /// Ends the text and resets the writer to an empty buffer.
  ///
  /// - Returns: All bytes, those of the initial buffer included.
  public mutating func finish() -> [UInt8] {
    // Swapped out, so that the buffer is uniquely referenced and is truncated without a copy.
    var bytes: [UInt8] = []
    swap(&bytes, &storage)
    bytes.removeLast(bytes.count &- written)
    written = 0
    needsComma = false
    return bytes
  }

  /// Opens an object.
  @inlinable
  public mutating func beginObject() { open(Ascii.openBrace) }

  /// Closes an object.
  @inlinable
  public mutating func endObject() { close(Ascii.closeBrace) }

  /// Opens an array.
  @inlinable
  public mutating func beginArray() { open(Ascii.openBracket) }

  /// Closes an array.
  @inlinable
  public mutating func endArray() { close(Ascii.closeBracket) }

  /// Writes a member's name.
  ///
  /// The caller must write its value next.
  ///
  /// - Parameter name: A name that needs no escapes.
  @inlinable @inline(__always)
  public mutating func name(_ name: StaticString) {
    token(roomFor: name.utf8CodeUnitCount &+ 3, opens: true) { room in
      room.put(byte: Ascii.quote)
      room.put(name)
      room.put(#"":"#)
    }
  }

  /// Writes a value through a cursor.
  ///
  /// - Parameters:
  ///   - room: The maximum length of the value, in bytes.
  ///   - put: Writes the value.
  @inlinable @inline(__always)
  public mutating func value(
    roomFor room: Int,
    _ put: (_ room: inout JSONRoom) -> Void
  ) {
    token(roomFor: room, put)
  }

  // Several tokens at once, as text that the caller prepares.

  /// Writes the beginning of a value, up to an open bracket.
  @inlinable @inline(__always)
  public mutating func begin(roomFor room: Int, _ put: (_ room: inout JSONRoom) -> Void) {
    token(roomFor: room, opens: true, put)
  }

  /// Writes text that ends with an open bracket, directly after a value.
  ///
  /// The text must contain the comma that separates it from the value.
  @inlinable @inline(__always)
  public mutating func resume(roomFor room: Int, _ put: (_ room: inout JSONRoom) -> Void) {
    needsComma = false
    token(roomFor: room, opens: true, put)
  }

  /// Writes text that closes brackets, directly after a value.
  @inlinable @inline(__always)
  public mutating func end(roomFor room: Int, _ put: (_ room: inout JSONRoom) -> Void) {
    needsComma = false
    token(roomFor: room, put)
  }

  /// Writes `null`.
  @inlinable
  public mutating func null() { constant("null") }

  /// Writes `true` or `false`.
  @inlinable
  public mutating func boolean(_ value: Bool) { constant(value ? "true" : "false") }

  /// Writes text that is already JSON, unchanged.
  ///
  /// - Parameter json: One valid value.
  public mutating func raw(_ json: ArraySlice<UInt8>) {
    token(roomFor: json.count) { room in room.put(json: json.span) }
  }

  /// Writes the members of an object that is already JSON into the open object.
  ///
  /// - Precondition: An empty object has no white space between its braces.
  public mutating func members(of object: ArraySlice<UInt8>) {
    let members = object.dropFirst().dropLast()
    if !members.isEmpty { raw(members) }
  }

  /// Ends a line of newline-delimited JSON.
  ///
  /// The next value gets no comma before it.
  public mutating func endLine() {
    needsComma = false
    token(roomFor: 1, opens: true) { room in room.put(byte: Ascii.newline) }
  }

  /// Writes a member's name that is already JSON, with its quotes.
  mutating func name(written name: ArraySlice<UInt8>) {
    token(roomFor: name.count &+ 1, opens: true) { room in
      room.put(json: name.span)
      room.put(byte: Ascii.colon)
    }
  }

  /// Writes a constant that is already JSON.
  @inlinable
  mutating func constant(_ json: StaticString) {
    token(roomFor: json.utf8CodeUnitCount) { room in room.put(json) }
  }

  @inlinable
  mutating func open(_ bracket: UInt8) {
    token(roomFor: 1, opens: true) { room in room.put(byte: bracket) }
  }

  @inlinable
  mutating func close(_ bracket: UInt8) {
    needsComma = false
    token(roomFor: 1) { room in room.put(byte: bracket) }
  }

  /// Writes one token, and a comma before it if one is due.
  ///
  /// `room` is the maximum length of the token. A token that `opens`, such as a bracket or a name,
  /// is not followed by a comma.
  @inlinable @inline(__always)
  mutating func token(
    roomFor room: Int,
    opens: Bool = false,
    _ write: (_ room: inout JSONRoom) -> Void
  ) {
    if storage.count &- written <= room { grow(by: room &+ 1) }
    let start = written
    let isCommaDue = needsComma
    needsComma = !opens
    written = unsafe storage.withUnsafeMutableBytes { bytes in
      var room = unsafe JSONRoom(bytes, from: start)
      if isCommaDue { room.put(byte: Ascii.comma) }
      write(&room)
      return bytes.count &- room.left
    }
  }

  /// Grows the buffer.
  ///
  /// The new space stays uninitialized, because filling it was measured as slow as writing a page
  /// of JSON into it.
  @usableFromInline @inline(never)
  mutating func grow(by room: Int) {
    let size = max(written &+ room, 2 &* storage.count)
    storage.append(addingCapacity: size &- storage.count) { room in
      unsafe room.withUnsafeMutableBufferPointer { bytes, count in count = bytes.count }
    }
  }
}
