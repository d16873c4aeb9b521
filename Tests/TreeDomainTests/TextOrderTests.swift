import Testing

@testable import TreeDomain

@Suite struct TextOrderTests {
  private struct Stop: Error {}

  @Test(arguments: ["", "Straße ÄÖÜ", "ΑΣ", "İI", "ПРИВЕТ Мир", "漢字 ABC", "\u{10400}x", "é É"])
  func `text is mapped to lower case code point by code point`(text: String) {
    let mapped = TextOrder.lowercased(Array(text.utf8)[...])
    let scalars = text.unicodeScalars.map { $0.properties.lowercaseMapping }
    #expect(String(decoding: mapped, as: UTF8.self) == scalars.joined())
  }

  @Test func `the mapping of a long text counts its steps, and can be stopped`() {
    let text = Array(String(repeating: "Ж", count: 20_000).utf8)
    var steps = 0
    let mapped = TextOrder.lowercased(text[...]) { steps += $0 }
    #expect(String(decoding: mapped, as: UTF8.self) == String(repeating: "ж", count: 20_000))
    #expect((4_000...5_000).contains(steps))
    #expect(throws: Stop.self) {
      try TextOrder.lowercased(text[...]) { (_) throws(Stop) in throw Stop() }
    }
  }

  @Test func `text in ASCII counts no steps`() {
    let text = Array(repeating: UInt8(ascii: "A"), count: 20_000)
    var steps = 0
    let mapped = TextOrder.lowercased(text[...]) { steps += $0 }
    #expect(steps == 0 && mapped.allSatisfy { $0 == UInt8(ascii: "a") })
  }
}
