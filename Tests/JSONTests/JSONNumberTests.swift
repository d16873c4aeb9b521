import JSON
import Testing

@Suite struct JSONNumberTests {
  /// Lines of equal numbers, in ascending order.
  static let ascending = [
    ["-1e9223372036854775808"], ["-1e9223372036854775807"], ["-1e401"],
    ["-1e400", "-10e399"], ["-12345678901234567891"], ["-12345678901234567890"],
    ["-10", "-1e1", "-1.0E+1"], ["-9.99"], ["-1"], ["-0.5"], ["-1e-400"],
    ["-1e-99999999999999999999"],
    ["0", "-0", "0.0", "0e99", "-0.000e-5", "0e99999999999999999999"],
    ["1e-100000000000000000000"], ["1e-99999999999999999999", "10e-100000000000000000000"],
    ["1e-401"], ["1e-400"], ["0.05", "5e-2", "0.50e-1"],
    ["0.051"], ["0.1", "1e-1"], ["0.5"], ["1", "1.0", "1e0", "10e-1", "0.1e1", "1.000"],
    ["1.0000000000000000000000000001"], ["9", "9.0"], ["10", "1e1"], ["99"], ["100", "1e2"],
    ["9007199254740992"], ["9007199254740993"], ["12345678901234567890", "1234567890123456789e1"],
    ["12345678901234567891"], ["1e400", "100e398"], ["1e401"], ["1e100000000000"],
    ["1e999999999999999997", "0.00001e1000000000000000002"], ["1e999999999999999998"],
    ["1e999999999999999999", "100e999999999999999997", "0.1e1000000000000000000"],
    ["1e9223372036854775807"], ["1e9223372036854775808", "0.01e9223372036854775810"],
    ["1e99999999999999999998"], ["1e99999999999999999999"], ["1.5e99999999999999999999"],
    ["1e100000000000000000000", "10e99999999999999999999", "1e+000100000000000000000000"],
    ["1e999999999999999999999999"],
  ]

  @Test func `numbers compare by value at any size and precision`() throws {
    for (i, left) in Self.ascending.enumerated() {
      for (j, right) in Self.ascending.enumerated() {
        for a in left {
          for b in right {
            let x = try #require(JSONNumber(utf8(a)[...]))
            let y = try #require(JSONNumber(utf8(b)[...]))
            #expect(x.compared(to: y) == (i < j ? -1 : i > j ? 1 : 0), "\(a) against \(b)")
          }
        }
      }
    }
  }

  @Test func `ordered keys sort like the numbers, and none is a prefix of another`() throws {
    func ordered(_ text: String) throws -> [UInt8] {
      var bytes: [UInt8] = []
      try #require(JSONNumber(utf8(text)[...])).appendOrdered(to: &bytes)
      return bytes
    }
    for (i, left) in Self.ascending.enumerated() {
      for (j, right) in Self.ascending.enumerated() {
        for (a, b) in left.flatMap({ a in right.map { (a, $0) } }) {
          let (x, y) = (try ordered(a), try ordered(b))
          #expect((x == y) == (i == j), "\(a), \(b)")
          #expect(x.lexicographicallyPrecedes(y) == (i < j), "\(a), \(b)")
          #expect(i == j || !y.starts(with: x), "\(a), \(b)")
        }
      }
    }
  }

  @Test(arguments: ["", "-", "01", "1.", "+1", "1x", " 1", "1 ", "\"1\"", "Infinity"])
  func `text that is not a JSON number gives nil`(_ text: String) {
    #expect(JSONNumber(utf8(text)[...]) == nil)
  }

  @Test func `a number is parsed from a slice`() throws {
    let bytes = utf8("[12.5,12.50,13]")
    let left = try #require(JSONNumber(bytes[1..<5]))
    let right = try #require(JSONNumber(bytes[6..<11]))
    let third = try #require(JSONNumber(bytes[12..<14]))
    #expect(left.compared(to: right) == 0)
    #expect(left.compared(to: third) == -1)
  }

  @Test func `canonical forms are equal exactly for equal numbers`() throws {
    let texts = [
      "0", "-0", "0.0", "0e9", "1", "1.0", "10e-1", "0.1e1", "-1", "100", "1e2", "1.0E+2", "0.01",
      "1e-2", "1e400", "10e399", "12345678901234567890", "12345678901234567891", "1.5", "15e-1",
      "1e99999999999999999999", "0.1e100000000000000000000", "1e-99999999999999999999",
      "10e-100000000000000000000", "1e999999999999999998", "100e999999999999999996",
    ]
    for left in texts {
      for right in texts {
        let (a, b) = (try #require(JSONNumber(utf8(left)[...])), JSONNumber(utf8(right)[...]))
        let other = try #require(b)
        #expect(
          (a.canonical == other.canonical) == (a.compared(to: other) == 0),
          "\(left) \(right)"
        )
      }
      let canonical = try #require(JSONNumber(utf8(left)[...])).canonical
      #expect(JSONNumber(canonical[...])?.canonical == canonical)
    }
  }
}
