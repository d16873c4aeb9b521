/// Takes apart what a ``ByteWriter`` has put together.
///
/// Whatever the bytes are, it reads nothing beyond them and reserves no memory by what they say.
public struct ByteReader: Sendable {
  private let bytes: ArraySlice<UInt8>
  private var position: Int

  /// Begins at the first of some bytes.
  ///
  /// - Complexity: O(1).
  public init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  /// Whether all has been read.
  public var isAtEnd: Bool { position == bytes.endIndex }

  /// How many bytes have not been read.
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

  /// Reads a truth value.
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

  /// Reads a number in all its bytes.
  ///
  /// - Throws: ``ImageError/damaged`` when there are fewer.
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

  /// Reads a number in as many bytes as it takes.
  ///
  /// - Throws: ``ImageError/damaged`` when it goes on beyond the end or 64 bits, or could have been
  ///   shorter.
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

  /// Reads a number of things.
  ///
  /// - Throws: ``ImageError/damaged`` as for any number, and for one above the limit.
  /// - Complexity: O(1).
  public mutating func count(upTo limit: Int = .max) throws(ImageError) -> Int {
    guard let count = Int(exactly: try number()), count <= limit else { throw .damaged }
    return count
  }

  /// Reads a number of either sign.
  ///
  /// - Throws: ``ImageError/damaged`` as for any number.
  /// - Complexity: O(1).
  public mutating func signed() throws(ImageError) -> Int {
    let folded = try number()
    return Int(Int64(bitPattern: folded >> 1) ^ -Int64(bitPattern: folded & 1))
  }

  /// Reads a byte string.
  ///
  /// - Throws: ``ImageError/damaged`` when it is longer than what is left, or than `limit`.
  /// - Complexity: O(1).
  public mutating func string(upTo limit: Int = .max) throws(ImageError) -> ArraySlice<UInt8> {
    try raw(count(upTo: limit))
  }

  /// Reads so many bytes.
  ///
  /// - Throws: ``ImageError/damaged`` when fewer are left.
  /// - Complexity: O(1).
  public mutating func raw(_ count: Int) throws(ImageError) -> ArraySlice<UInt8> {
    guard count >= 0, count <= remaining else { throw .damaged }
    position += count
    return bytes[(position - count)..<position]
  }
}
