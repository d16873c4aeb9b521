import Testing

import enum TestSupport.Seed
import struct TestSupport.SeededGenerator
import struct TestSupport.TableUpdate

@testable import TreeClient

@Suite(.timeLimit(.minutes(20))) struct `Updates of a table with sections` {
  private static let keys = (0..<12).map { "k\($0)" }

  /// Returns a random operation on a forest of a few nodes in some sections.
  private static func operation(_ random: inout SeededGenerator) -> TreeOperation {
    let section = random.choice(["A", "B", "C", "D"])
    let key = random.choice(keys)
    let parent = random.oneIn(3) ? nil : random.choice(keys)
    let place: TreeOperation.Place? = random.oneIn(2) ? .first : nil
    switch random.number(in: 0...14) {
    case 0: return .toggle(key)
    case 1, 2: return .update(key, object: .integer(random.number(in: 0...9)))
    case 3: return .moveSection(section, to: random.number(in: 0...2))
    case 4: return random.oneIn(2) ? .collapseSection(section) : .expandSection(section)
    case 5: return .insertSection(section, at: random.number(in: 0...2))
    case 6: return random.oneIn(3) ? .removeSection(section) : .toggle(key)
    case 7: return .remove(key)
    case 8, 9:
      return .move(key, into: parent, at: place, section: parent == nil ? section : nil)
    default:
      let node = NewNode(key, object: 0, section: parent == nil ? section : nil)
      return .insert(node, into: parent, at: place)
    }
  }

  /// Returns the rows of each section, as a table shows them.
  private static func table(_ session: TreeSession) async throws -> [[String]] {
    let rows: [Row<JSONValue>] = try await session.rows(RowsQuery(limit: 1000)).rows
    // A tree without sections has one here, without a name.
    let names: [String?] = try await session.listSections().map(\.section)
    return (names.isEmpty ? [nil] : names).map { name in
      rows.filter { $0.section == name }.map { row in
        let object = row.object?.integer ?? -1
        return "\(row.key) \(object) \(row.isExpanded) \(row.childState) \(row.childCount ?? -1)"
      }
    }
  }

  /// The keys of rows.
  private static func named(_ table: [[String]]) -> [[Substring]] {
    table.map { rows in rows.map { $0.prefix { $0 != " " } } }
  }

  @Test(arguments: Seed.seeds(count: 3))
  func `lead to the rows after, by the rules of UIKit`(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let service = try await Service()
    let nodes = Self.keys.enumerated().map { place, key in
      NewNode(key, object: 0, section: ["A", "B", "C"][place % 3])
    }
    let session = try await service.client()
      .createSession(NewSession(nodes: nodes, sections: ["A", "B", "C"]))
    var before = try await Self.table(session)
    var count = 0
    for _ in 0..<Seed.operations(default: 600) {
      let operations = (0..<random.number(in: 1...2)).map { _ in Self.operation(&random) }
      let form = random.oneIn(3) ? ChangeFormat.ranges : .rows
      let options = ChangeOptions(changes: form, sections: true)
      guard let list = try? await session.batch(operations, options) else { continue }
      let after = try await Self.table(session)
      let updates = list.sectionedTableUpdates
      let told = TableUpdate(updates)
      #expect(told.prohibitions.isEmpty, "seed \(seed): \(operations)")
      let applied = told.applied(to: before, reading: after)
      #expect(applied.map(Self.named) == Self.named(after), "seed \(seed): \(operations)")
      // Nothing else reads differently but what is reloaded or configured again.
      let reread = Set(updates.reloads.map { before[$0.section][$0.row] })
      let again = Set(updates.reconfigures.map { after[$0.section][$0.row] })
      for (old, new) in zip((applied ?? []).joined(), after.joined()) where old != new {
        #expect(reread.contains(old) || again.contains(new), "seed \(seed): \(old), \(new)")
      }
      count += list.changes.count
      before = after
    }
    #expect(count > 80)
  }
}

extension TableUpdate {
  /// The updates of a table, but for the places after of rows that are reloaded.
  fileprivate init(_ updates: SectionedTableUpdates) {
    func path(_ place: SectionPlaces.Place) -> Path { Path(section: place.section, row: place.row) }
    self.init()
    deletedSections = updates.deletedSections
    insertedSections = updates.insertedSections
    movedSections = updates.movedSections.map { ($0.from, $0.to) }
    deletedRows = updates.deletes.map(path)
    insertedRows = updates.inserts.map(path)
    movedRows = updates.moves.map { (path($0.from), path($0.to)) }
  }
}
