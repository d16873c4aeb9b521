import TestSupport
import Testing

@testable import TreeDomain

struct GlobSearchTests {
  private static let parts: [Glob.Part] = [
    .literal("a"), .literal("b"), .literal("é"), .anyOne,
    .set(GlobSet(["a"..."b"], isNegated: false)),
    .set(GlobSet(["b"..."b", "x"..."z"], isNegated: true)),
  ]

  @Test(arguments: Seed.seeds(count: 20))
  func `parts are found at their first match`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for count in [1, 2, 3, 63, 64, 65, 128, 130] {
      // Mostly parts that match anything, so that long patterns are found at all.
      let parts = (0..<count).map { _ in
        random.oneIn(max(2, count / 4)) ? random.choice(Self.parts) : .anyOne
      }
      for length in [0, count - 1, count, count + 1, 3 * count + 40] {
        let text = (0..<length).map { _ in random.choice(["a", "b", "é", "x"] as [Unicode.Scalar]) }
        let starts = 0..<max(0, length - count + 1)
        let first = starts.first { start in
          zip(text[start...], parts).allSatisfy { $1.matches($0) }
        }
        var search = GlobSearch(parts[...])
        let end = try search.firstEnd(in: text[...]) { _ in }
        #expect(end == first.map { $0 + count }, "SEED=\(seed) \(count)")
      }
    }
  }

  @Test(arguments: [
    ("[a[b", "[a[b", true), ("[a[b", "ab", false), ("[[[[", "[[[[", true), ("[!]", "[!]", true),
    (#"[\]*[x"#, "[]-[x", true), ("x[]", "x[]", true), ("[a]]", "a]", true), ("[[a]", "[", true),
    (#"[a-\]"#, "[a-]", true), ("[]a]b[", "]b[", true),
  ])
  func `a bracket that is not closed stands for itself, and so do later ones`(
    pattern: String,
    text: String,
    isMatch: Bool
  ) throws {
    let glob = Glob(Array(pattern.utf8), isCaseSensitive: true)
    #expect(try glob.matches(Array(text.utf8)[...]) { _ in } == isMatch)
  }

  @Test func `a long pattern matches like a short one`() throws {
    let text = Array(String(repeating: "ab", count: 1_000).utf8)
    let long = String(repeating: "a?", count: 200)
    func matches(_ pattern: String) throws -> Bool {
      try Glob(Array(pattern.utf8), isCaseSensitive: true).matches(text[...]) { _ in }
    }
    #expect(try matches("*\(long)*"))
    #expect(try matches("\(long)*\(long)*\(long)*ab"))
    #expect(try matches("ab*[b]\(long)*b"))
    #expect(try !matches("ab*[b]b\(long)*b"))
    #expect(try !matches("*\(long)c*"))
    #expect(try !matches(String(repeating: "*\(long)", count: 6) + "*"))
    #expect(try matches(String(repeating: "*\(long)", count: 5) + "*"))
  }

  @Test(arguments: ["[a-bc-d]", "a", "?"])
  func `the work is linear in the length of the text and of the pattern`(part: String) throws {
    func steps(_ length: Int, _ parts: Int) throws -> Int {
      let text = Array(String(repeating: "ab", count: length / 2).utf8)
      let pattern = "*" + String(repeating: part, count: parts) + "c*"
      var steps = 0
      let glob = Glob(Array(pattern.utf8), isCaseSensitive: true)
      let isFound = try glob.matches(text[...]) { steps += $0 }
      #expect(!isFound)
      return steps
    }
    let (one, longText) = (try steps(100_000, 256), try steps(200_000, 256))
    let longPattern = try steps(100_000, 512)
    #expect(one > 1_000 && longText < 3 * one && longPattern < 3 * one)
  }

  @Test(arguments: Seed.seeds(count: 50))
  func `a set contains the members of its ranges, or all others if negated`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let scalars = (0..<600).compactMap(Unicode.Scalar.init)
    let ranges = (0..<random.number(in: 0...20)).map { _ in
      let ends = [random.choice(scalars), random.choice(scalars)].sorted()
      return random.oneIn(2) ? ends[0]...ends[0] : ends[0]...ends[1]
    }
    for isNegated in [false, true] {
      let set = GlobSet(ranges, isNegated: isNegated)
      for scalar in scalars {
        let isMember = ranges.contains { $0.contains(scalar) } != isNegated
        #expect(set.contains(scalar) == isMember, "SEED=\(seed) \(scalar)")
      }
    }
  }
}
