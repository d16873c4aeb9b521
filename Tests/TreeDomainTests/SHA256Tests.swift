import Testing
import TreeDomain

@Suite struct `SHA-256` {
  /// Examples of FIPS 180-4 (csrc.nist.gov/projects/cryptographic-standards-and-guidelines).
  @Test(
    arguments: [
      ("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
      (
        "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
          + "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu", 1,
        "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
      ),
      ("a", 1_000_000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
    ] as [(String, Int, String)]
  )
  func `hashes equal the examples of the standard`(text: String, count: Int, hash: String) {
    #expect(hex(SHA256.hash(Array(String(repeating: text, count: count).utf8))) == hash)
  }

  /// The message of each length consists of hashes of the shorter ones.
  @Test func `hashes of messages of all lengths are right`() {
    var chain: [UInt8] = []
    for length in 0...200 { chain += SHA256.hash(Array((chain + chain).prefix(length))) }
    let all = hex(SHA256.hash(chain))
    #expect(all == "2eea84aa4559b1f4eb89189cf1fb934a19c2dc438ed6d8a641138d18e485095d")
  }

  /// Examples of RFC 4231, section 4.
  @Test(
    arguments: [
      (
        [UInt8](repeating: 0x0b, count: 20), "Hi There",
        "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
      ),
      (
        Array("Jefe".utf8), "what do ya want for nothing?",
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
      ),
      (
        [UInt8](repeating: 0xaa, count: 131),
        "Test Using Larger Than Block-Size Key - Hash Key First",
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
      ),
      (
        [UInt8](repeating: 0xaa, count: 131),
        "This is a test using a larger than block-size key and a larger than block-size data. "
          + "The key needs to be hashed before being used by the HMAC algorithm.",
        "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"
      ),
    ] as [([UInt8], String, String)]
  )
  func `message authentication codes equal the examples of RFC 4231`(
    key: [UInt8],
    text: String,
    code: String
  ) {
    #expect(hex(SHA256.code(of: Array(text.utf8), under: key)) == code)
  }

  private func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
