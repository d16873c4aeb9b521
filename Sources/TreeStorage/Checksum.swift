internal import CZlib

/// A checksum over numbers and bytes: CRC-32 (ISO 3309), as zlib computes it.
///
/// It detects accidental damage, not deliberate changes.
struct Checksum {
  private(set) var value = 0

  init() {}

  init<let count: Int>(_ numbers: InlineArray<count, Int>) {
    let words = InlineArray<count, Int64> { Int64(numbers[$0]).littleEndian }
    unsafe words.span.bytes.withUnsafeBytes { unsafe add($0) }
  }

  private mutating func add(_ buffer: UnsafeRawBufferPointer) {
    guard let start = buffer.baseAddress, buffer.count > 0 else { return }
    let bytes = unsafe start.assumingMemoryBound(to: UInt8.self)
    value = Int(unsafe crc32_z(UInt(value), bytes, buffer.count))
  }

  /// Returns the checksum extended by some bytes.
  func adding(_ bytes: ArraySlice<UInt8>) -> Checksum {
    var sum = self
    unsafe bytes.withUnsafeBytes { unsafe sum.add($0) }
    return sum
  }

  /// Returns the checksum extended by some bytes.
  func adding(_ bytes: [UInt8]) -> Checksum { adding(bytes[...]) }
}
