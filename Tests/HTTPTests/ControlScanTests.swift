import Testing

@testable import HTTP

@Suite("The search for control characters")
struct ControlScanTests {
  @Test func `finds what looking at each byte finds`() {
    var random = SeededRandom()
    // Those about the bounds of what is looked for, and the tab that is passed over.
    let bytes: [UInt8] = [0x00, 0x01, 0x09, 0x0D, 0x1F, 0x7F]
    let others: [UInt8] = [0x20, 0x21, 0x5F, 0x7E, 0x80, 0x81, 0x89, 0x9F, 0xFF]
    for _ in 0..<SeededRandom.iterations(default: 2_000) {
      let text = (0..<random.next(below: 40)).map { _ in
        let some = random.next(below: 12) == 0 ? bytes : others
        return some[random.next(below: some.count)]
      }
      let start = random.next(below: text.count + 1)
      let end = start + random.next(below: text.count - start + 1)
      let expected = text[start..<end].firstIndex { $0.isForbiddenControl } ?? end
      let found = ControlScan.first(in: text.span, from: start, to: end)
      #expect(found == expected, "SEED=\(random.seed) \(text) \(start)..<\(end)")
    }
  }
}
