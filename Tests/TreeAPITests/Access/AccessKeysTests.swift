import Testing

@testable import TreeAPI

@Suite struct `Access keys` {
  private func keys(_ lines: String) throws -> AccessKeys {
    var keys = AccessKeys()
    try keys.add(lines: Array(lines.utf8))
    return keys
  }

  @Test func `each key is found by its secret only`() throws {
    let long = String(repeating: "z", count: 512)
    let keys = try keys(
      "a:0123456789abcdef\nb:0123456789abcdef0\n c.d_e-F :\(long)\n".replacing(" :", with: ":")
    )
    #expect(keys.key(with: Array("0123456789abcdef".utf8))?.id == "a")
    #expect(keys.key(with: Array("0123456789abcdef0".utf8))?.id == "b")
    #expect(keys.key(with: Array(long.utf8))?.id == "c.d_e-F")
    for other in ["", "0", "0123456789abcde", "0123456789abcdeF", "1123456789abcdef", long + "z"] {
      #expect(keys.key(with: Array(other.utf8))?.id == nil)
    }
    // The padding is no part of the secret.
    #expect(keys.key(with: Array("0123456789abcdef\0".utf8))?.id == nil)
    #expect(AccessKeys().key(with: [UInt8]()) == nil)
  }

  @Test func `two secrets are equal if and only if all bytes are`() throws {
    let bytes = Array("The quick brown fox jumps over the lazy dog".utf8)
    let secret = try #require(PaddedSecret(bytes))
    #expect(try secret == #require(PaddedSecret(bytes)))
    for index in bytes.indices {
      var other = bytes
      other[index] ^= 0x80
      #expect(try secret != #require(PaddedSecret(other)))
      #expect(try secret != #require(PaddedSecret(bytes[..<index])))
    }
    #expect(PaddedSecret([UInt8](repeating: 1, count: 513)) == nil)
  }

  @Test(arguments: [
    ("a", 1, AccessKeys.Fault.Rule.noColon), (":0123456789abcdef", 1, .malformedID),
    ("session:0123456789abcdef", 1, .malformedID),
    ("é:0123456789abcdef", 1, .malformedID), ("a/b:0123456789abcdef", 1, .malformedID),
    ("\(String(repeating: "i", count: 65)):0123456789abcdef", 1, .malformedID),
    ("\na:", 2, .malformedSecret), ("a:0123456789abcde", 1, .malformedSecret),
    ("a:0123456789 abcdef", 1, .malformedSecret), ("a:0123456789=abcdef", 1, .malformedSecret),
    ("a:================", 1, .malformedSecret), ("a:0123456789abcdef:b", 1, .unknownScope),
    ("a:0123456789abcdé", 1, .malformedSecret),
    ("a:\(String(repeating: "s", count: 513))", 1, .malformedSecret),
    ("a:0123456789abcdef\n#\na:0123456789abcdef", 3, .repeatedSecret), ("", 0, .noKeys),
    ("a:0123456789abcdef:", 1, .unknownScope), ("a:0123456789abcdef:Read", 1, .unknownScope),
    ("a:0123456789abcdef:read,", 1, .unknownScope),
    ("#\na:0123456789abcdef: read", 2, .unknownScope),
    ("a:0123456789abcdef:read metrics", 1, .unknownScope),
    ("a:0123456789abcdef:read:metrics", 1, .unknownScope),
    ("a:read:0123456789abcdef", 1, .malformedSecret),
    ("a:0123456789abcdef\nb:0123456789abcdef", 2, .repeatedSecret),
    ("\n # a:0123456789abcdef\n", 0, .noKeys),
  ])
  func `an invalid text throws the line and the broken rule`(
    text: String,
    place: Int,
    rule: AccessKeys.Fault.Rule
  ) {
    let fault = #expect(throws: AccessKeys.Fault.self) { try keys(text) }
    #expect(fault?.place == place && fault?.rule == rule)
  }

  @Test func `keys in words are parsed like lines, without comments`() throws {
    var keys = AccessKeys()
    try keys.add(words: Array(" a:0123456789abcdef\t\nb:fedcba9876543210".utf8))
    #expect(keys.keys.map(\.id) == ["a", "b"])
    let fault = #expect(throws: AccessKeys.Fault.self) { try keys.add(words: Array("c:x #".utf8)) }
    #expect(fault?.place == 1 && fault?.rule == .malformedSecret)
  }

  @Test func `a description of keys shows no secret`() throws {
    let keys = try keys("a:0123456789abcdef")
    var dumped = ""
    dump(keys, to: &dumped)
    for text in ["\(keys)", String(reflecting: keys), dumped] {
      #expect(text.contains("a") && !text.contains("0123"))
    }
  }
}
