/// Writes numbers and byte strings in sequence, to be read by a ``ByteReader``.
///
/// Numbers of variable size are in LEB128: seven bits in each byte, lowest first. Signed numbers
/// are zigzag-encoded (0, -1, 1, -2, …), so that small ones are short.
///
/// Source: DWARF Debugging Information Format, version 5, section 7.6.
public struct ByteWriter: Sendable {
  /// The written bytes.
  public private(set) var bytes: [UInt8] = []

  /// Creates an empty writer.
  ///
  /// - Complexity: O(1).
  public init() {}

  /// Appends one byte.
  ///
  /// - Complexity: O(1).
  public mutating func append(_ byte: UInt8) { bytes.append(byte) }

  /// Appends a Boolean value as one byte.
  ///
  /// - Complexity: O(1).
  public mutating func append(_ value: Bool) { bytes.append(value ? 1 : 0) }

  /// Appends an integer in its full width, lowest byte first.
  ///
  /// - Complexity: O(1).
  public mutating func append(fixed number: some FixedWidthInteger) {
    var rest = number.littleEndian
    for _ in 0..<(number.bitWidth / 8) {
      bytes.append(UInt8(truncatingIfNeeded: rest))
      rest >>= 8
    }
  }

  /// Appends a number in LEB128, in at most ten bytes.
  ///
  /// - Complexity: O(1).
  public mutating func append(number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  /// Appends a count.
  ///
  /// - Precondition: It is not negative.
  /// - Complexity: O(1).
  public mutating func append(count: Int) { append(number: UInt64(count)) }

  /// Appends a signed number.
  ///
  /// - Complexity: O(1).
  public mutating func append(signed number: Int) {
    append(number: UInt64(bitPattern: Int64((number << 1) ^ (number >> 63))))
  }

  /// Appends a byte string with its length.
  ///
  /// - Complexity: O(bytes).
  public mutating func append(string: ArraySlice<UInt8>) {
    append(count: string.count)
    bytes.append(contentsOf: string)
  }

  /// Appends bytes without their length.
  ///
  /// - Complexity: O(bytes).
  public mutating func append(raw: ArraySlice<UInt8>) { bytes.append(contentsOf: raw) }

  /// Appends the name and the version of a format, with which an image begins.
  ///
  /// - Complexity: O(length of the name).
  public mutating func append(name: [UInt8], version: UInt32) {
    bytes += name
    append(fixed: version)
  }

  /// Appends what `body` writes as a frame: its length in four bytes, then its bytes.
  ///
  /// A ``FrameReader`` reads it.
  ///
  /// - Precondition: `body` writes less than 4 GiB.
  /// - Complexity: That of `body`.
  public mutating func appendFrame(_ body: (inout ByteWriter) -> Void) {
    let start = bytes.count
    append(fixed: UInt32(0))
    body(&self)
    var length = UInt32(bytes.count - start - 4)
    for place in start..<(start + 4) {
      bytes[place] = UInt8(truncatingIfNeeded: length)
      length >>= 8
    }
  }
}
