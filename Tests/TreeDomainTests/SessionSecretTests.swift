import TestSupport
import Testing
import TreeDomain

@Suite struct `Secrets of sessions` {
  @Test(
    arguments: [
      (Array(0...31), "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"),
      ((224...255).reversed(), "__79_Pv6-fj39vX08_Lx8O_u7ezr6uno5-bl5OPi4eA"),
    ] as [([UInt8], String)]
  )
  func `are written in base64url without padding`(bytes: [UInt8], text: String) throws {
    let secret = try #require(SessionSecret(bytes: bytes))
    #expect(secret.text == Array(text.utf8))
    #expect(SessionSecret(text.utf8)?.bytes == bytes)
  }

  @Test(arguments: [
    "", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh",
    "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8A",
    // The last character has two bits too many, is padding, or is from another alphabet.
    "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh9", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh=",
    "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdH+8", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdé8",
  ])
  func `are refused in any other form`(text: String) {
    #expect(SessionSecret(text.utf8) == nil)
  }

  @Test func `are read back and have 32 bytes`() throws {
    var generator = SeededGenerator(seed: 4)
    for _ in 0..<100 {
      let bytes = (0..<SessionSecret.byteCount).map { _ in
        UInt8.random(in: 0...255, using: &generator)
      }
      let secret = try #require(SessionSecret(bytes: bytes))
      #expect(secret.text.count == 43 && SessionSecret(secret.text)?.bytes == bytes)
      #expect(SessionSecret(bytes: bytes.dropLast()) == nil)
    }
  }

  @Test func `have equal digests only if all bits are equal`() throws {
    let secret = try #require(SessionSecret(bytes: Array(0...31)))
    let digest = SecretDigest(of: secret)
    #expect(digest.bytes == SHA256.hash(secret.bytes))
    #expect(SecretDigest(bytes: digest.bytes) == digest)
    for bit in 0..<256 {
      var bytes = digest.bytes
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(try #require(SecretDigest(bytes: bytes)) != digest)
    }
    #expect(SecretDigest(bytes: digest.bytes.dropLast()) == nil)
  }

  @Test func `do not appear in descriptions and dumps`() throws {
    let secret = try #require(SessionSecret(bytes: Array(100..<132)))
    var dumped = ""
    dump(secret, to: &dumped)
    for text in ["\(secret)", String(reflecting: secret), dumped] {
      #expect(!text.contains("100") && !text.contains(String(decoding: secret.text, as: UTF8.self)))
    }
  }
}
