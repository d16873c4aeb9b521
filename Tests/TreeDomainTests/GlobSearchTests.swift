import TestSupport
import Testing

@testable import TreeDomain

struct GlobSearchTests {
  private static let parts: [Glob.Part] = [
    .literal("a"), .literal("b"), .literal("é"), .anyOne, .set(["a"..."b"], isNegated: false),
    .set(["b"..."b", "x"..."z"], isNegated: true),
  ]

  @Test(arguments: Seed.seeds(count: 20))
  func `parts are found where they first match`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for count in [1, 2, 3, 63, 64, 65, 128, 130] {
      // Mostly what anything matches, that long ones may be found at all.
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
        #expect(search.firstEnd(in: text[...]) == first.map { $0 + count }, "SEED=\(seed) \(count)")
      }
    }
  }

  @Test func `what is long is matched as what is short is`() {
    let text = Array(String(repeating: "ab", count: 1_000).utf8)
    let long = String(repeating: "a?", count: 200)
    func matches(_ pattern: String) -> Bool {
      Glob(Array(pattern.utf8), isCaseSensitive: true).matches(text[...])
    }
    #expect(matches("*\(long)*") && matches("\(long)*\(long)*\(long)*ab"))
    #expect(matches("ab*[b]\(long)*b") && !matches("ab*[b]b\(long)*b"))
    #expect(!matches("*\(long)c*") && !matches(String(repeating: "*\(long)", count: 6) + "*"))
    #expect(matches(String(repeating: "*\(long)", count: 5) + "*"))
  }
}
