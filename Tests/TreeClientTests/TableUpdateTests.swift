import enum TestSupport.Seed
import struct TestSupport.SeededGenerator
import struct TestSupport.TableUpdate
import Testing

@testable import TreeClient

@Suite struct `Updates of a table` {
  @Test(arguments: Seed.seeds(count: 300))
  func `lead to the rows after, by the rules of UIKit`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var keys = RandomKeys()
    var before = (0..<random.number(in: 0...40)).map { _ in keys.row(&random) }
    for _ in 0..<8 {
      let change = RandomChange(of: before, &random, &keys)
      for changes in [change.rows(limit: 3), change.ranges(limit: 3)] {
        let updates = try list(changes, change.after.count).tableUpdates
        let table = TableUpdate(updates)
        #expect(table.prohibitions.isEmpty)
        let applied = try #require(table.applied(to: [before], reading: [change.after])).first
        #expect(applied?.map(\.key) == change.after.map(\.key))
        #expect(updates.deletes == updates.deletes.sorted(by: >))
        #expect(updates.inserts == updates.inserts.sorted())
        // What reads differently is reloaded or configured again, and nothing else is reloaded.
        let reread = updates.reloads.map { before[$0].key }
        let again = updates.reconfigures.map { change.after[$0].key }
        let updated = Set(change.updates.map(\.row.key))
        #expect(updated.isSubset(of: reread + again) && updated.isSuperset(of: reread))
        #expect(Set(again) == Set(change.arrivals.filter(\.moves).map(\.row.key)))
        #expect(Set(updates.reconfiguredKeys).isSubset(of: again))
      }
      let whole = try list(change.rows(limit: 0), change.after.count).tableUpdates
      #expect(whole.reconfiguredKeys == change.arrivals.filter(\.moves).map(\.row.key))
      before = change.after
    }
  }

  /// Returns a list with entries.
  private func list(
    _ changes: [Change<JSONValue>],
    _ rowCount: Int
  ) throws -> ChangeList<JSONValue> {
    let members: JSONValue = [
      "previousRevision": 0, "revision": 1, "rowCount": .integer(rowCount), "format": "rows",
    ]
    var list = try JSONCoding.decode(ChangeList<JSONValue>.self, from: JSONCoding.encode(members))
    list.changes = changes
    return list
  }
}

extension TableUpdate {
  /// The updates of a table of one section.
  fileprivate init(_ updates: TableUpdates) {
    func path(_ row: Int) -> Path { Path(section: 0, row: row) }
    self.init()
    deletedRows = updates.deletes.map(path)
    insertedRows = updates.inserts.map(path)
    movedRows = updates.moves.map { (path($0.from), path($0.to)) }
    // A reloaded row is where it is when all others have gone and come.
    let gone = (updates.deletes + updates.moves.map(\.from)).sorted()
    let come = (updates.inserts + updates.moves.map(\.to)).sorted()
    updatedRows = updates.reloads.map { old in
      var new = old - gone.count { $0 < old }
      for place in come where place <= new { new += 1 }
      return (path(old), path(new))
    }
  }
}
