import Testing

@testable import HTTP

@Suite struct RequestIDTests {
  @Test func `an id made by the server has sixteen hexadecimal digits`() {
    var random = SeededRandom()
    let made = (0..<200).map { _ in
      UInt64(random.next(below: .max)) &<< UInt64(random.next(below: 64))
    }
    for number in [0, 9, 10, 15, 16, 0x9999_9999_AAAA_AAAA, .max] + made {
      var text: [UInt8] = []
      RequestID.made(number).append(to: &text)
      let digits = String(number, radix: 16)
      let expected = String(repeating: "0", count: 16 - digits.count) + digits
      #expect(String(text: text) == expected, "SEED=\(random.seed)")
    }
  }
}
