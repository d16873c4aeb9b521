import TestSupport
import Testing

@testable import TreeEngine

/// Tests that few splices have the same effect as the delta that they make.
struct DeltaReadingTests {
  typealias Delta = RowDelta<Fanout<4>>
  typealias Splice = RowSplice<Fanout<4>>

  @Test(arguments: Seed.seeds(count: 2_000))
  func `splices have the same effect as their delta`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var rows = Rows(count: random.choice([0, 1, 2, 5, 12]))
    let count = Int32(rows.before.count)
    var splices = FewSplices<Fanout<4>>()
    for _ in 0..<random.number(in: 0...2) {
      guard let splice = rows.splice(&random, of: splices.first) else { continue }
      let hasRoom = splices.add(splice)
      #expect(hasRoom)
    }
    var delta = Delta(rowCount: count)
    delta.apply(splices)
    let expected = try DeltaReading(
      delta,
      movers: nil,
      counting: { _ in },
      rowsNow: rows.now,
      rowNow: rows.now
    )
    let actual = try DeltaReading(
      splices,
      rowCount: count,
      movers: nil,
      counting: { _ in },
      rowsNow: rows.now,
      rowNow: rows.now
    )
    let context = "SEED=\(seed) \(splices)"
    let changes = try actual.structuralChanges { _ in }
    let wanted = try expected.structuralChanges { _ in }
    #expect(changes == wanted, "\(context)")
    // The search starts from an earlier row's stretch and from the first one.
    var place = 0
    for (index, row) in rows.after.enumerated() where index == 0 || random.number(in: 0...3) > 0 {
      let known = actual.before(row, at: Int32(index), in: &place)
      var first = 0
      let right = expected.before(row, at: Int32(index), in: &first)
      #expect(known?.index == right?.index && known?.depth == right?.depth, "\(context)")
    }
    let (nodes, wantedNodes) = (Array(actual.returnedNodes), Array(expected.returnedNodes))
    #expect(nodes == wantedNodes, "\(context)")
    let (stretches, wantedStretches) = (try retained(actual), try retained(expected))
    #expect(stretches == wantedStretches, "\(context)")
  }

  private func retained(_ reading: borrowing DeltaReading<Fanout<4>>) throws -> [[Int32]] {
    var stretches: [[Int32]] = []
    try reading.forEachRetained(counting: { _ in }) { stretches.append([$0, $1, $2]) }
    return stretches
  }
}

/// Rows before and after, by node.
private struct Rows {
  let before: [DeltaReadingTests.Delta.Listed]
  var after: [DeltaReadingTests.Delta.Listed]
  /// The rows that were deleted last and may return.
  private var gone: [DeltaReadingTests.Delta.Listed] = []
  private var nextNode: Int32

  init(count: Int) {
    before = (0..<Int32(count)).map { number in
      .init(node: NodeID(number + 1), parent: NodeID(number / 3), depth: 1 + number / 3)
    }
    after = before
    nextNode = Int32(count) + 1
  }

  /// Deletes or inserts rows.
  mutating func splice(
    _ random: inout SeededGenerator,
    of first: DeltaReadingTests.Splice?
  ) -> DeltaReadingTests.Splice? {
    let count = random.number(in: 1...4)
    if random.oneIn(2), after.count >= count {
      let row = random.number(in: 0...(after.count - count))
      gone = Array(after[row..<(row + count)])
      after.removeSubrange(row..<(row + count))
      return deletion(at: row, &random)
    }
    let row = random.number(in: 0...after.count)
    let isHalf = first?.cause == .unlistedMove
    var come = isHalf || random.oneIn(2) && !gone.isEmpty ? gone : fresh(count)
    if random.oneIn(3) { for place in come.indices { come[place].depth += 1 } }
    after.insert(contentsOf: come, at: row)
    var splice = DeltaReadingTests.Splice(
      row: Int32(row),
      count: Int32(come.count),
      isDeletion: false
    )
    if isHalf { splice.cause = .unlistedMove }
    return splice
  }

  private func deletion(
    at row: Int,
    _ random: inout SeededGenerator
  ) -> DeltaReadingTests.Splice {
    let cause = random.choice([DeltaReadingTests.Splice.Cause.other, .removal, .unlistedMove])
    let isListed = cause != .unlistedMove && !random.oneIn(4)
    return DeltaReadingTests.Splice(
      listed: isListed ? gone : nil,
      row: Int32(row),
      count: Int32(gone.count),
      isDeletion: true,
      cause: cause
    )
  }

  private mutating func fresh(_ count: Int) -> [DeltaReadingTests.Delta.Listed] {
    defer { nextNode += Int32(count) }
    return (0..<Int32(count)).map {
      .init(node: NodeID(nextNode + $0), parent: NodeID(0), depth: 1)
    }
  }

  /// Returns consecutive rows after the change.
  func now(_ newIndex: Int32, _ count: Int32) -> [DeltaReadingTests.Delta.Listed] {
    Array(after[Int(newIndex)..<Int(newIndex + count)])
  }

  /// Returns the row of a node after the change.
  func now(_ node: NodeID) -> (index: Int32, row: DeltaReadingTests.Delta.Listed)? {
    after.firstIndex { $0.node == node }.map { (Int32($0), after[$0]) }
  }
}
