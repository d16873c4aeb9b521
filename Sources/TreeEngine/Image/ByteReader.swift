/// Reads the bytes that a ``ByteWriter`` has written.
///
/// With any input it never reads beyond the end, and never allocates memory by a length that the
/// input states.
public struct ByteReader: Sendable {
  private let bytes: ArraySlice<UInt8>
  private var position: Int

  /// Starts at the first byte.
  ///
  /// - Complexity: O(1).
  public init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  /// True if all bytes were read.
  public var isAtEnd: Bool { position == bytes.endIndex }

  /// The number of unread bytes.
  public var remaining: Int { bytes.endIndex - position }

  /// Reads one byte.
  ///
  /// - Throws: ``ImageError/damaged`` at the end.
  /// - Complexity: O(1).
  public mutating func byte() throws(ImageError) -> UInt8 {
    guard position < bytes.endIndex else { throw .damaged }
    position += 1
    return bytes[position - 1]
  }

  /// Reads a Boolean value.
  ///
  /// - Throws: ``ImageError/damaged`` at the end, and for anything but 0 and 1.
  /// - Complexity: O(1).
  public mutating func bool() throws(ImageError) -> Bool {
    switch try byte() {
    case 0: false
    case 1: true
    default: throw .damaged
    }
  }

  /// Reads an integer of fixed width, lowest byte first.
  ///
  /// - Throws: ``ImageError/damaged`` if there are fewer bytes.
  /// - Complexity: O(1).
  public mutating func fixed<Number: FixedWidthInteger>(
    _ type: Number.Type = Number.self
  ) throws(ImageError) -> Number {
    var number: Number = 0
    for place in 0..<(type.bitWidth / 8) {
      number |= Number(truncatingIfNeeded: try byte()) << (8 * place)
    }
    return number
  }

  /// Reads an unsigned LEB128 number.
  ///
  /// - Throws: ``ImageError/damaged`` if the bytes end, if it exceeds 64 bits, or if it is not in
  ///   its shortest form.
  /// - Complexity: O(1).
  public mutating func number() throws(ImageError) -> UInt64 {
    var byte = try byte()
    if byte < 0x80 { return UInt64(byte) }
    var number = UInt64(byte & 0x7F)
    var shift: UInt64 = 7
    repeat {
      byte = try self.byte()
      guard shift < 63 || byte <= 1 else { throw .damaged }
      number |= UInt64(byte & 0x7F) << shift
      shift += 7
    } while byte >= 0x80
    guard byte > 0 else { throw .damaged }
    return number
  }

  /// Reads a count.
  ///
  /// - Throws: ``ImageError/damaged`` as for any number, and for one above the limit.
  /// - Complexity: O(1).
  public mutating func count(upTo limit: Int = .max) throws(ImageError) -> Int {
    guard let count = Int(exactly: try number()), count <= limit else { throw .damaged }
    return count
  }

  /// Reads a signed number.
  ///
  /// - Throws: ``ImageError/damaged`` as for any number.
  /// - Complexity: O(1).
  public mutating func signed() throws(ImageError) -> Int {
    let folded = try number()
    return Int(Int64(bitPattern: folded >> 1) ^ -Int64(bitPattern: folded & 1))
  }

  /// Reads a byte string with its length.
  ///
  /// - Throws: ``ImageError/damaged`` if it is longer than the unread bytes or than `limit`.
  /// - Complexity: O(1).
  public mutating func string(upTo limit: Int = .max) throws(ImageError) -> ArraySlice<UInt8> {
    try raw(count(upTo: limit))
  }

  /// Reads the next `count` bytes.
  ///
  /// - Throws: ``ImageError/damaged`` if fewer are left.
  /// - Complexity: O(1).
  public mutating func raw(_ count: Int) throws(ImageError) -> ArraySlice<UInt8> {
    guard count >= 0, count <= remaining else { throw .damaged }
    position += count
    return bytes[(position - count)..<position]
  }
}
