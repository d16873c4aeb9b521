import TestSupport
import Testing
import TreeDomain

@Suite struct `Secrets of sessions` {
  @Test func `the system gives others each time, and they are read back`() throws {
    var generator = SystemRandomNumberGenerator()
    let secrets = (0..<100).map { _ in SessionSecret(using: &generator) }
    #expect(Set(secrets.map(\.bytes)).count == secrets.count)
    #expect(Set(secrets.map(\.selector)).count == secrets.count)
    for secret in secrets {
      #expect(secret.bytes.count == SessionSecret.byteCount && secret.text.count == 43)
      #expect(SessionSecret(bytes: secret.bytes) == secret)
      #expect(SessionSecret(secret.text) == secret)
    }
  }

  @Test(
    arguments: [
      (Array(0...31), "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"),
      ((224...255).reversed(), "__79_Pv6-fj39vX08_Lx8O_u7ezr6uno5-bl5OPi4eA"),
    ] as [([UInt8], String)]
  )
  func `they are written in base64url without padding`(bytes: [UInt8], text: String) throws {
    let secret = try #require(SessionSecret(bytes: bytes))
    #expect(secret.text == Array(text.utf8))
    #expect(SessionSecret(text.utf8)?.bytes == bytes)
  }

  @Test(arguments: [
    "", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh",
    "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8A",
    // The last character has two bits too many, or is padding, or of another alphabet.
    "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh9", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh=",
    "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdH+8", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdé8",
  ])
  func `nothing else is one`(text: String) {
    #expect(SessionSecret(text.utf8) == nil)
  }

  @Test func `two are the same when every bit is`() throws {
    var generator = SeededGenerator(seed: 5)
    let secret = SessionSecret(using: &generator)
    for bit in 0..<256 {
      var bytes = secret.bytes
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(try #require(SessionSecret(bytes: bytes)) != secret)
    }
    #expect(SessionSecret(bytes: secret.bytes.dropLast()) == nil)
  }

  @Test func `none shows itself`() {
    var generator = SeededGenerator(seed: 6)
    let secret = SessionSecret(using: &generator)
    var dumped = ""
    dump(secret, to: &dumped)
    for text in ["\(secret)", String(reflecting: secret), dumped] {
      #expect(!text.contains("\(secret.selector)"))
    }
  }
}
