import TestSupport
import Testing

@testable import TreeStorage

struct NumberRowsTests {
  private let rows: [InlineArray<3, Int>] = [[0, 9, 10], [1 << 36, 12_345, 999]]

  private func text(_ count: Int) -> [UInt8] {
    var text = NumberRows()
    for row in rows.prefix(count) { text.add(row) }
    return text.finish()
  }

  @Test func `rows are written as JSON, and read back`() {
    let texts = ["[]", "[[0,9,10]]", "[[0,9,10],[68719476736,12345,999]]"]
    for (count, expected) in texts.enumerated() {
      #expect(String(decoding: text(count), as: UTF8.self) == expected)
    }
    #expect(NumberRows.numbers(in: text(0), width: 3) == [])
    #expect(NumberRows.numbers(in: text(2), width: 3) == [0, 9, 10, 1 << 36, 12_345, 999])
  }

  @Test func `finish removes all rows`() {
    var text = NumberRows()
    text.add(rows[0])
    #expect(text.count == 1)
    _ = text.finish()
    #expect(text.count == 0)
    text.add(rows[1])
    #expect(String(decoding: text.finish(), as: UTF8.self) == "[[68719476736,12345,999]]")
  }

  @Test(arguments: [
    "", "[", "]", "[]]", "{}", "[[]]", "[[1,2,3]", "[[1,2,3]],", "[[1,2,3],]", "[[1,2]]",
    "[[1,2,3,4]]", "[[1,,3]]", "[[1,2,-3]]", "[[1,2,3.5]]", "[[1,2,3][4,5,6]]",
    "[[1,2,99999999999999999999]]",
  ])
  func `malformed text is not read`(text: String) {
    #expect(NumberRows.numbers(in: Array(text.utf8), width: 3) == nil)
  }
}
