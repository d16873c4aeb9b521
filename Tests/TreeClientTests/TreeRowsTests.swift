import Foundation
import TestSupport
import Testing

@testable import TreeClient

/// An example of a window, which the JavaScript client is held to as well.
struct RowsVector: Decodable, Sendable, CustomTestStringConvertible {
  struct Page: Decodable, Sendable {
    let offset: Int
    let rows: [Row<JSONValue>]
  }
  struct Step: Decodable, Sendable {
    let rowCount: Int
    let changes: [Change<JSONValue>]
    let held: [String: JSONValue]
    let missing: [Int]?
    let retained: [[Int]]?
  }
  let name: String
  let rowCount: Int
  let pages: [Page]
  let steps: [Step]
  var testDescription: String { name }

  static let all: [RowsVector] = {
    let file = Repository.root.appending(path: "Tests/TreeWebTests/vectors/sparse-rows.json")
    let data = (try? Data(contentsOf: file)) ?? Data()
    return (try? JSONDecoder().decode([RowsVector].self, from: data)) ?? []
  }()
}

@Suite struct `A window of rows` {
  @Test func `has examples`() { #expect(RowsVector.all.count > 8) }

  @Test(arguments: RowsVector.all)
  func `does what the example says`(vector: RowsVector) throws {
    var rows = TreeRows<JSONValue>()
    rows.rowCount = vector.rowCount
    for page in vector.pages { rows.put(page.rows, at: page.offset) }
    for step in vector.steps {
      rows.apply(step.changes, rowCount: step.rowCount)
      #expect(rows.rowCount == step.rowCount && rows.count == step.held.count)
      for (index, members) in step.held {
        let row = try #require(Int(index).flatMap { rows[$0] })
        let expected = try JSONCoding.decode(Row<JSONValue>.self, from: JSONCoding.encode(members))
        #expect(row.key == expected.key && row.object == expected.object)
        #expect(row.section == expected.section && row.index == Int(index))
        if members["depth"] != nil { #expect(row.depth == expected.depth) }
        if members["parent"] != nil { #expect(row.parent == expected.parent) }
        #expect(rows.index(of: row.key) == row.index)
      }
      let missing = step.rowCount == 0 ? nil : rows.missing(in: 0...(step.rowCount - 1))
      #expect(missing.map { [$0.lowerBound, $0.upperBound] } == step.missing)
      for pair in step.retained ?? [] { #expect(rows.retained(from: pair[0]).new == pair[1]) }
    }
  }

  @Test(arguments: Seed.seeds(count: 300))
  func `agrees with a model of all rows after any lists`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var keys = RandomKeys()
    var all = (0..<random.number(in: 0...60)).map { _ in keys.row(&random) }
    var rows = TreeRows<JSONValue>()
    rows.rowCount = all.count
    for _ in 0..<12 {
      let offset = random.number(in: 0...all.count)
      let page = all[offset...].prefix(random.number(in: 0...20))
      rows.put(Array(page), at: offset)
      let before = Self.held(rows)
      let change = RandomChange(of: all, &random, &keys)
      rows.apply(
        random.oneIn(2) ? change.rows(limit: random.number(in: 0...8)) : change.ranges(limit: 4),
        rowCount: change.after.count
      )
      Self.check(rows, before: before, all, change)
      all = change.after
      let first = random.number(in: 0...all.count)
      let most = random.number(in: 5...34)
      rows.trim(to: first...first + 4, atMost: most)
      #expect(rows.count <= most)
    }
  }

  /// Holds a window against all rows after a change.
  private static func check(
    _ rows: TreeRows<JSONValue>,
    before: [Row<JSONValue>],
    _ all: [Row<JSONValue>],
    _ change: RandomChange
  ) {
    let places = Dictionary(
      uniqueKeysWithValues: change.after.enumerated().map { ($1.key, $0) }
    )
    // All rows that were held and are still there are held at their new places.
    for row in before { #expect(rows.index(of: row.key) == places[row.key]) }
    // All that are held and not stale are as they are.
    for row in held(rows) {
      guard let index = row.index else { continue }
      #expect(row.key == change.after[index].key)
      guard rows.missing(in: index...index) == nil else { continue }
      var expected = change.after[index]
      expected.index = index
      #expect(row == expected)
    }
    // The first row from an index on that stayed is found without being held.
    let arrived = Set(change.arrivals.map(\.row.key))
    for index in all.indices {
      let next = all[index...].first { places[$0.key] != nil && !arrived.contains($0.key) }
      if let next { #expect(rows.retained(from: index).new == places[next.key]) }
    }
    let wanted = change.after.indices.filter { rows.missing(in: $0...$0) != nil }
    if let first = wanted.first, let last = wanted.last {
      #expect(rows.missing(in: 0...(change.after.count - 1)) == first...last)
    }
  }

  private static func held(_ rows: TreeRows<JSONValue>) -> [Row<JSONValue>] {
    (0..<rows.rowCount).compactMap { rows[$0] }
  }
}
