/// SipHash-1-3, a keyed hash.
///
/// Without the key, nobody can choose colliding bytes.
///
/// The standard library's `Hasher` uses the same function, but buffers its input. For short keys in
/// one piece that takes more than twice the steps of the whole hash here.
///
/// Source: Aumasson and Bernstein, *SipHash: a fast short-input PRF*, Indocrypt 2012.
struct SipHash {
  private var v0: UInt64
  private var v1: UInt64
  private var v2: UInt64
  private var v3: UInt64

  /// Creates a hasher with a secret of 128 bits.
  @inline(__always)
  init(_ key: (UInt64, UInt64)) {
    v0 = key.0 ^ 0x736f_6d65_7073_6575
    v1 = key.1 ^ 0x646f_7261_6e64_6f6d
    v2 = key.0 ^ 0x6c79_6765_6e65_7261
    v3 = key.1 ^ 0x7465_6462_7974_6573
  }

  /// Returns the hash of some bytes.
  ///
  /// - Complexity: O(bytes).
  @inline(__always)
  consuming func hash(_ bytes: Span<UInt8>) -> UInt64 {
    unsafe bytes.withUnsafeBytes { bytes in
      var place = 0
      while place &+ 8 <= bytes.count {
        let word = unsafe bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
        add(UInt64(littleEndian: word))
        place &+= 8
      }
      // The last word: the remaining bytes, and the length modulo 256 in the highest byte.
      var last = UInt64(truncatingIfNeeded: bytes.count) &<< 56
      var shift: UInt64 = 0
      while place < bytes.count {
        last |= UInt64(unsafe bytes[place]) &<< shift
        shift &+= 8
        place &+= 1
      }
      add(last)
    }
    v2 ^= 0xff
    for _ in 0..<3 { mix() }
    return v0 ^ v1 ^ v2 ^ v3
  }

  @inline(__always)
  private mutating func add(_ word: UInt64) {
    v3 ^= word
    mix()
    v0 ^= word
  }

  @inline(__always)
  private mutating func mix() {
    v0 &+= v1
    v1 = rotated(v1, 13) ^ v0
    v0 = rotated(v0, 32)
    v2 &+= v3
    v3 = rotated(v3, 16) ^ v2
    v0 &+= v3
    v3 = rotated(v3, 21) ^ v0
    v2 &+= v1
    v1 = rotated(v1, 17) ^ v2
    v2 = rotated(v2, 32)
  }

  @inline(__always)
  private func rotated(_ word: UInt64, _ bits: UInt64) -> UInt64 {
    word &<< bits | word &>> (64 &- bits)
  }
}

/// The secret of this process.
private let secret = (UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max))

/// Returns the hash of bytes under a secret of the process, so that clients cannot choose
/// collisions.
///
/// - Complexity: O(bytes).
public func seededHash(of bytes: Span<UInt8>) -> Int {
  Int(truncatingIfNeeded: SipHash(secret).hash(bytes))
}
