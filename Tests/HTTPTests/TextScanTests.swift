import Testing

@testable import HTTP

@Suite("The search for bytes")
struct TextScanTests {
  @Test func `finds the same control character as a simple loop`() {
    var random = SeededRandom()
    // Bytes at the bounds of the searched range, and the tab, which is skipped.
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
      let found = TextScan.firstControl(in: text.span, from: start, to: end)
      #expect(found == expected, "SEED=\(random.seed) \(text) \(start)..<\(end)")
    }
  }

  @Test func `finds the same byte as a simple loop`() {
    var random = SeededRandom()
    // Bytes next to the searched one, and those that a borrow could turn into it.
    let bytes: [UInt8] = [0x00, 0x01, 0x2E, 0x2F, 0x30, 0x7F, 0x80, 0xAF, 0xFF]
    for _ in 0..<SeededRandom.iterations(default: 2_000) {
      let text = (0..<random.next(below: 40)).map { _ in bytes[random.next(below: bytes.count)] }
      let byte = bytes[random.next(below: bytes.count)]
      let start = random.next(below: text.count + 1)
      let end = start + random.next(below: text.count - start + 1)
      let expected = text[start..<end].firstIndex(of: byte) ?? end
      let found = TextScan.first(byte, in: text.span, from: start, to: end)
      #expect(found == expected, "SEED=\(random.seed) \(text) \(byte) \(start)..<\(end)")
    }
  }

  @Test func `skips only frequent characters of a name`() {
    var random = SeededRandom()
    let usual = [UInt8](UInt8.min...UInt8.max).filter { $0.isLetter || $0.isDigit || $0 == 0x2D }
    for _ in 0..<SeededRandom.iterations(default: 4_000) {
      let text = (0..<random.next(below: 40)).map { _ in
        random.next(below: 16) == 0
          ? UInt8(random.next(below: 256)) : usual[random.next(below: usual.count)]
      }
      let start = random.next(below: text.count + 1)
      let end = start + random.next(below: text.count - start + 1)
      let first = text[start..<end].firstIndex { !usual.contains($0) } ?? end
      let found = TextScan.endOfUsualName(in: text.span, from: start, to: end)
      let isAtFirst = found == first || (found < first && end - found < 8)
      let told = "SEED=\(random.seed) \(text) \(start)..<\(end): \(found)"
      #expect(isAtFirst && found >= start, "\(told)")
    }
  }

  @Test func `compares bytes like a simple loop`() {
    var random = SeededRandom()
    for _ in 0..<SeededRandom.iterations(default: 2_000) {
      let left = (0..<random.next(below: 40)).map { _ in UInt8(random.next(below: 256)) }
      var right = left
      if !right.isEmpty, random.next(below: 2) == 0 {
        right[random.next(below: right.count)] ^= 1 &<< UInt8(random.next(below: 8))
      } else if random.next(below: 4) == 0 {
        right.append(0)
      }
      let told = "SEED=\(random.seed) \(left) \(right)"
      #expect(TextScan.areSame(left.span, right.span) == (left == right), "\(told)")
    }
  }

  @Test func `recognizes a word of frequent bytes like a simple loop`() {
    var random = SeededRandom()
    let usual = Array("aZ09&'()*+,-./:;=_".utf8)
    for byte in UInt8.min...UInt8.max {
      let isUsual = byte.isLetter || byte.isDigit || usual.contains(byte)
      for place in 0..<8 {
        var word = (0..<8).map { _ in usual[random.next(below: usual.count)] }
        word[place] = byte
        let found = TextScan.areUsualInTarget(word.span, at: 0)
        #expect(found == isUsual, "SEED=\(random.seed) \(word)")
      }
    }
  }
}
