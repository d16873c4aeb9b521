import Testing

@testable import HTTP

@Suite("The characters of a target")
struct TargetTests {
  @Test func `a character is accepted or refused at any position`() {
    for byte in UInt8(0x21)...0x7E where byte != UInt8(ascii: "%") {
      let character = String(Unicode.Scalar(byte))
      for start in ["/", "/?"] {
        let alone = isTaken(start + character)
        for count in 1...17 {
          let before = String(repeating: "a", count: count)
          let target = "\(start)\(before)\(character)"
          #expect(isTaken(target) == alone, "\(target)")
          #expect(isTaken(target + before) == alone, "\(target)\(before)")
        }
      }
    }
  }

  private func isTaken(_ target: String) -> Bool {
    (try? Request(method: .get, target: target)) != nil
  }
}
