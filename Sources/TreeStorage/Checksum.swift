internal import CZlib

/// A checksum over numbers and bytes (CRC-32, ISO 3309, as zlib computes it): it tells what was
/// damaged, not what somebody changed on purpose.
struct Checksum {
  private(set) var value = 0

  init(_ numbers: Int...) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(8 * numbers.count)
    for number in numbers {
      var rest = UInt64(bitPattern: Int64(number))
      for _ in 0..<8 {
        bytes.append(UInt8(truncatingIfNeeded: rest))
        rest >>= 8
      }
    }
    add(bytes)
  }

  mutating func add(_ bytes: [UInt8]) {
    let next = unsafe bytes.withUnsafeBytes { buffer in
      unsafe crc32_z(
        UInt(value),
        buffer.baseAddress?.assumingMemoryBound(to: UInt8.self),
        buffer.count
      )
    }
    value = bytes.isEmpty ? value : Int(next)
  }

  /// The same checksum with some bytes added.
  func adding(_ bytes: [UInt8]) -> Checksum {
    var sum = self
    sum.add(bytes)
    return sum
  }
}
