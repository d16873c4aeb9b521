import Testing

@testable import TreeEngine

@Suite struct SipHashTests {
  /// Results of the authors' program with one round per word and three at the end.
  ///
  /// The key is the bytes 0 to 15. The messages are the first bytes of 0, 1, 2…
  private static let vectors: [(count: Int, hash: UInt64)] = [
    (0, 0xabac_0158_050f_c4dc), (1, 0xc9f4_9bf3_7d57_ca93), (2, 0x82cb_9b02_4dc7_d44d),
    (3, 0x8bf8_0ab8_e7dd_f7fb), (4, 0xcf75_5760_88d3_8328), (5, 0xdef9_d52f_4953_3b67),
    (6, 0xc50d_2b50_c59f_22a7), (7, 0xd392_7d98_9bb1_1140), (8, 0x3690_9511_8d29_9a8e),
    (9, 0x25a4_8eb3_6c06_3de4), (15, 0xd320_d86d_2a51_9956), (16, 0xcc4f_dd1a_7d90_8b66),
    (17, 0x9cf2_6890_63db_d80c), (31, 0x2370_dd1f_8c21_d1bc), (63, 0x9d19_9062_b7bb_b3a8),
  ]

  @Test(arguments: vectors)
  func `a hash equals that of the authors' program`(count: Int, hash: UInt64) {
    // The message starts at an unaligned address.
    let bytes = [0xff] + (0..<UInt8(count)).map { $0 } + [0xff]
    let message = bytes.span.extracting(1..<(count + 1))
    #expect(SipHash((0x0706_0504_0302_0100, 0x0f0e_0d0c_0b0a_0908)).hash(message) == hash)
  }

  @Test func `another secret gives another hash`() {
    let message = Array("key".utf8)
    #expect(SipHash((0, 1)).hash(message.span) != SipHash((1, 0)).hash(message.span))
    #expect(seededHash(of: message.span) == seededHash(of: message.span))
  }
}
