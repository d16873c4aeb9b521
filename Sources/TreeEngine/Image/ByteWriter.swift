/// Puts numbers and byte strings one behind another, to be taken apart by a ``ByteReader``.
///
/// Numbers of unknown size are in LEB128, seven bits a byte, the lowest first; signed ones are
/// folded over before (0, -1, 1, -2, …), so that small ones are short.
///
/// Source: DWARF Debugging Information Format, version 5, section 7.6.
public struct ByteWriter: Sendable {
  /// What was written.
  public private(set) var bytes: [UInt8] = []

  /// Creates a writer of nothing yet.
  ///
  /// - Complexity: O(1).
  public init() {}

  /// Appends one byte.
  ///
  /// - Complexity: O(1).
  public mutating func append(_ byte: UInt8) { bytes.append(byte) }

  /// Appends a truth value as a byte.
  ///
  /// - Complexity: O(1).
  public mutating func append(_ value: Bool) { bytes.append(value ? 1 : 0) }

  /// Appends a number in all its bytes, the lowest first.
  ///
  /// - Complexity: O(1).
  public mutating func append(fixed number: some FixedWidthInteger) {
    var rest = number.littleEndian
    for _ in 0..<(number.bitWidth / 8) {
      bytes.append(UInt8(truncatingIfNeeded: rest))
      rest >>= 8
    }
  }

  /// Appends a number in as many bytes as it takes, at most ten.
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

  /// Appends a number of things.
  ///
  /// - Precondition: it is not negative.
  /// - Complexity: O(1).
  public mutating func append(count: Int) { append(number: UInt64(count)) }

  /// Appends a number of either sign.
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

  /// Appends bytes as they are.
  ///
  /// - Complexity: O(bytes).
  public mutating func append(raw: ArraySlice<UInt8>) { bytes.append(contentsOf: raw) }

  /// Appends the name and the version of a form, with which it begins.
  ///
  /// - Complexity: O(length of the name).
  public mutating func append(name: [UInt8], version: UInt32) {
    bytes += name
    append(fixed: version)
  }

  /// Appends what `body` writes as a frame: its length in four bytes, and then it; see
  /// ``FrameReader``.
  ///
  /// - Precondition: it writes less than 4 GiB.
  /// - Complexity: that of `body`.
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
