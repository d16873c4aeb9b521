import JSON
import Testing

@Suite struct NearestNameTests {
  @Test(arguments: [
    ("", "", 0), ("", "abc", 3), ("abc", "", 3), ("abc", "abc", 0), ("abc", "abd", 1),
    ("kitten", "sitting", 3), ("flaw", "lawn", 2), ("port", "prot", 1), ("abcd", "cdab", 4),
  ])
  func `edit distance counts insertions, deletions, replacements and swaps`(
    first: String,
    second: String,
    distance: Int
  ) {
    #expect(editDistance(Array(first.utf8), Array(second.utf8)) == distance)
    #expect(editDistance(Array(second.utf8), Array(first.utf8)) == distance)
  }

  @Test func `the nearest name is found only within the distance limit`() {
    let names = ["maxHeaderBytes", "maxHeaderFields", "port"]
    #expect(nearestName(to: "maxHeaderByte", among: names) == "maxHeaderBytes")
    #expect(nearestName(to: "frobnicate", among: names) == nil)
    #expect(nearestName(to: "port", among: []) == nil)
    #expect(nearestName(to: "MAX_header-fields", among: names) == "maxHeaderFields")
    #expect(nearestName(to: "kye", among: ["by", "op", "key"]) == "key")
    #expect(nearestName(to: "id", among: ["by", "op", "key"]) == nil)
    #expect(nearestName(to: String(repeating: "p", count: 1_000_000), among: names) == nil)
  }
}
