/// The hash function SHA-256 (FIPS 180-4) and message authentication with it (HMAC, RFC 2104).
///
/// Neither branches nor memory accesses depend on the hashed data.
package enum SHA256 {
  /// The size of a hash in bytes.
  package static let byteCount = 32
  private static let blockBytes = 64

  /// Returns the hash of a message.
  ///
  /// - Complexity: O(*n*) for *n* bytes.
  package static func hash(_ message: [UInt8]) -> [UInt8] {
    var state = initialState
    let padded = padded(message)
    for start in stride(from: 0, to: padded.count, by: blockBytes) {
      state = compressed(schedule(of: padded, from: start), state)
    }
    var hash: [UInt8] = []
    hash.reserveCapacity(byteCount)
    for index in state.indices {
      for shift in stride(from: 24, through: 0, by: -8) {
        hash.append(UInt8(truncatingIfNeeded: state[index] >> UInt32(shift)))
      }
    }
    return hash
  }

  /// Returns the HMAC of a message under a key.
  ///
  /// - Complexity: O(*n* + *k*) for *n* bytes under a key of *k*.
  package static func code(of message: [UInt8], under key: [UInt8]) -> [UInt8] {
    var block = key.count > blockBytes ? hash(key) : key
    block += [UInt8](repeating: 0, count: blockBytes - block.count)
    return hash(block.map { $0 ^ 0x5c } + hash(block.map { $0 ^ 0x36 } + message))
  }

  /// Returns the message with its padding: a 1 bit, zeros, and the length in bits (5.1.1).
  private static func padded(_ message: [UInt8]) -> [UInt8] {
    let zeros = (2 * blockBytes - 9 - message.count % blockBytes) % blockBytes
    var padded: [UInt8] = []
    padded.reserveCapacity(message.count + zeros + 9)
    padded += message
    padded.append(0x80)
    padded += repeatElement(0, count: zeros)
    for shift in stride(from: 56, through: 0, by: -8) {
      padded.append(UInt8(truncatingIfNeeded: (message.count * 8) >> shift))
    }
    return padded
  }

  /// Returns the message schedule of a block (6.2.2, step 1).
  private static func schedule(of bytes: [UInt8], from start: Int) -> InlineArray<64, UInt32> {
    var words = InlineArray<64, UInt32>(repeating: 0)
    for index in 0..<16 {
      let place = start + 4 * index
      words[index] =
        UInt32(bytes[place]) << 24 | UInt32(bytes[place + 1]) << 16
        | UInt32(bytes[place + 2]) << 8 | UInt32(bytes[place + 3])
    }
    for index in 16..<64 {
      let (old, new) = (words[index - 15], words[index - 2])
      let low = rotated(old, 7) ^ rotated(old, 18) ^ old >> 3
      let high = rotated(new, 17) ^ rotated(new, 19) ^ new >> 10
      words[index] = words[index - 16] &+ low &+ words[index - 7] &+ high
    }
    return words
  }

  /// Returns the state after a block (6.2.2, steps 2 to 4).
  private static func compressed(
    _ schedule: InlineArray<64, UInt32>,
    _ state: InlineArray<8, UInt32>
  ) -> InlineArray<8, UInt32> {
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    for round in 0..<64 {
      let upper = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
      let choice = e & f ^ ~e & g
      let first = h &+ upper &+ choice &+ roundConstants[round] &+ schedule[round]
      let lower = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)
      let majority = a & b ^ a & c ^ b & c
      (h, g, f, e) = (g, f, e, d &+ first)
      (d, c, b, a) = (c, b, a, first &+ lower &+ majority)
    }
    return [
      state[0] &+ a, state[1] &+ b, state[2] &+ c, state[3] &+ d,
      state[4] &+ e, state[5] &+ f, state[6] &+ g, state[7] &+ h,
    ]
  }

  private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word >> count | word << (32 - count)
  }

  /// The first 32 bits of the fractional parts of the square roots of the first 8 primes (5.3.3).
  private static let initialState: InlineArray<8, UInt32> = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab,
    0x5be0_cd19,
  ]

  /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes (4.2.2).
  private static let roundConstants: InlineArray<64, UInt32> = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4,
    0xab1c_5ed5, 0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe,
    0x9bdc_06a7, 0xc19b_f174, 0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f,
    0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da, 0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7,
    0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967, 0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc,
    0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85, 0xa2bf_e8a1, 0xa81a_664b,
    0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070, 0x19a4_c116,
    0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7,
    0xc671_78f2,
  ]
}
