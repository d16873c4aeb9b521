import TestSupport
import Testing

@testable import TreeEngine

@Suite struct RowOrderTests {
  @Test(arguments: [0, 1, 2, 63, 64, 65, 1_000], [1, 255, 256, 65_536, 1 << 24, Int(Int32.max)])
  func `rows are sorted, stably`(count: Int, most: Int) {
    var random = SeededGenerator(seed: UInt64(count ^ most))
    let rows = (0..<count).map { _ in Int32.random(in: 0...Int32(most), using: &random) }
    let expected = rows.indices.sorted { (rows[$0], $0) < (rows[$1], $1) }
    #expect(RowOrder.places(of: rows) == expected)
  }
}
