internal import CZlib

/// A checksum over numbers and bytes (CRC-32, ISO 3309, as zlib computes it): it tells what was
/// damaged, not what somebody changed on purpose.
struct Checksum {
  private(set) var value = 0

  init(_ numbers: Int...) {
    let words = numbers.map { Int64($0).littleEndian }
    unsafe words.withUnsafeBytes { unsafe add($0) }
  }

  mutating func add(_ bytes: [UInt8]) {
    unsafe bytes.withUnsafeBytes { unsafe add($0) }
  }

  private mutating func add(_ buffer: UnsafeRawBufferPointer) {
    guard let start = buffer.baseAddress, buffer.count > 0 else { return }
    let bytes = unsafe start.assumingMemoryBound(to: UInt8.self)
    value = Int(unsafe crc32_z(UInt(value), bytes, buffer.count))
  }

  /// The same checksum with some bytes added.
  func adding(_ bytes: [UInt8]) -> Checksum {
    var sum = self
    sum.add(bytes)
    return sum
  }
}
