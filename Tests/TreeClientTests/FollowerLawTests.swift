import Foundation
import enum TestSupport.Seed
import struct TestSupport.SeededGenerator
import Testing

@testable import TreeClient

/// All rows of a session, kept up to date by change lists and nothing else.
private struct Replica {
  var rows: [Row<JSONValue>] = []
  var revision = 0

  /// Applies a list in the order that the contract gives.
  mutating func apply(_ list: ChangeList<JSONValue>) {
    var taken: [Int: Row<JSONValue>] = [:]
    let updates = list.tableUpdates
    for index in (updates.deletes + updates.moves.map(\.from)).sorted(by: >) {
      taken[index] = rows.remove(at: index)
    }
    for change in list.changes {
      switch change.kind {
      case .insert: rows.insert(change.rows[0], at: change.newIndex)
      case .move:
        guard var row = taken[change.index] else { continue }
        (row.depth, row.parent) = (change.depth ?? -1, change.parent)
        rows.insert(row, at: change.newIndex)
      case .update: rows[change.newIndex] = change.rows[0]
      default: break
      }
    }
    revision = list.revision
  }

  /// Returns what change lists keep up to date, as text.
  static func told(_ rows: [Row<JSONValue>]) -> [String] {
    rows.map { row in
      let object = (try? JSONCoding.encode(row.object)).map { String(decoding: $0, as: UTF8.self) }
      return "\(row.key) \(row.depth) \(row.parent ?? "") \(row.isExpanded) \(object ?? "")"
    }
  }
}

@Suite(.timeLimit(.minutes(30))) struct `One who follows a real service slowly` {
  @Test(arguments: Seed.seeds(count: 2))
  func `has the rows that are read out`(seed: UInt64) async throws {
    print("SEED=\(seed)")
    var random = SeededGenerator(seed: seed)
    let service = try await Service([])
    let direct = try service.client()
    _ = try await direct.createTree(NewTree("law"))
    let writer = RandomWriter(direct, tree: "law", seed: random.next())
    let line = BreakingTransport(seed: random.next())
    let session = try await service.client(line).createSession(NewSession(tree: "law"))
    let reader = try await direct.openSession(session.id)
    let form = ChangeOptions(changes: .rows, rowLimit: 1000)
    var news = session.changes(since: 0, FollowOptions(form: form)).makeAsyncIterator()
    var replica = Replica()
    var (lists, longest) = (0, 0)
    for _ in 0..<Seed.operations(default: 12) {
      let count = random.number(in: 1...25)
      let writing = Task { for _ in 0..<count { try await writer.write() } }
      if random.oneIn(3) { line.cut() }
      if random.oneIn(4) {
        service.kill()
        try await service.start()
      }
      if random.oneIn(2) { try await writing.value }
      // It takes some lists, and leaves the others for later.
      for _ in 0..<random.number(in: 0...3) {
        guard try await reader.getSession().revision > replica.revision else { break }
        longest = max(longest, try await take(&news, &replica, reader))
        lists += 1
      }
      try await writing.value
    }
    while try await reader.getSession().revision > replica.revision {
      longest = max(longest, try await take(&news, &replica, reader))
    }
    let page = try await reader.rows(RowsQuery(limit: 1000))
    #expect(page.revision == replica.revision, "seed \(seed)")
    #expect(Replica.told(replica.rows) == Replica.told(page.rows), "seed \(seed)")
    #expect(lists > 0 && longest > 1, "seed \(seed)")
  }

  /// Takes the next news; returns the number of revisions that it stands for.
  private func take(
    _ news: inout ChangeSequence<JSONValue>.Iterator,
    _ replica: inout Replica,
    _ reader: TreeSession
  ) async throws -> Int {
    switch try #require(await news.next()) {
    case .changes(let list):
      #expect(list.previousRevision == replica.revision)
      replica.apply(list)
      return list.revision - list.previousRevision
    case .reset:
      let page = try await reader.rows(RowsQuery(limit: 1000))
      replica = Replica(rows: page.rows, revision: page.revision)
      return 1
    }
  }
}
