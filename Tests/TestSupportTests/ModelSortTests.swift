import Testing

@testable import TestSupport

struct ModelSortTests {
  /// Tests that objects are in ascending order by the root pointer.
  @Test(arguments: [
    (
      ModelSort.Comparison.auto,
      [
        "null", "false", "true", "-7", "0", "1e400", "\"\"", "\"Z\"",
        "\"a\"", "\"\u{FFFD}\"", "\"\u{1F600}\"", "[]",
      ]
    ),
    (.text, ["null", "\"10\"", "\"9\"", "\"B\"", "\"a\""]),
    (.caseInsensitive, ["null", "\"a\"", "\"B\"", "\"c\""]),
    (.natural, ["\"file\"", "\"file2\"", "\"file10\"", "\"file10a2\"", "\"file10a10\"", "\"g\""]),
    (.number, ["null", "-1", "\"2\"", "10", "\"1e400\"", "\"x\""]),
  ])
  func `values compare in the contract's order`(
    _ comparison: ModelSort.Comparison,
    _ ordered: [String]
  ) throws {
    let subjects = try ordered.map { SortSubject(key: "k", object: try RawJSON(parsing: $0)) }
    for (left, first) in subjects.enumerated() {
      for (right, second) in subjects.enumerated() {
        let up = [ModelSort(by: "", compare: comparison)].order(first, second)
        let down = [ModelSort(by: "", descending: true, compare: comparison)].order(first, second)
        let expected = (left - right).signum()
        #expect(up == expected && down == -expected, "\(ordered[left]) and \(ordered[right])")
      }
    }
  }

  @Test func `the first descriptor with a difference decides`() throws {
    let sort = [ModelSort(by: "/a"), ModelSort(by: "#key", descending: true)]
    let left = SortSubject(key: "x", object: try RawJSON(parsing: #"{"a":1}"#))
    let right = SortSubject(key: "y", object: try RawJSON(parsing: #"{"a":1.0}"#))
    #expect(sort.order(left, right) == 1)
  }
}
