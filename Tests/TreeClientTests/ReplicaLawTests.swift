import Foundation
import TestSupport
import Testing

@testable import TreeClient

/// An object of the tree.
private struct Item: Decodable, Sendable, Equatable {
  var name: String
  var size: Int?
}

@Suite(.serialized, .timeLimit(.minutes(30)))
@MainActor
struct `A view of a real service` {
  /// The number of rounds that a law has.
  private static let rounds = Seed.operations(default: 25)

  @Test(arguments: Seed.seeds(count: 2))
  func `shows what is read out, whatever breaks between them`(seed: UInt64) async throws {
    try await law(seed, ViewOptions(pageSize: 10, maxRows: 60))
  }

  @Test(arguments: Seed.seeds(count: 1))
  func `does so with members that follow from other rows`(seed: UInt64) async throws {
    let fields: [RowField] = [
      .depth, .parent, .position, .siblingCount, .visibleDescendantCount, .object,
    ]
    let options = ViewOptions(pageSize: 7, fields: fields, interval: .milliseconds(20))
    try await law(seed, options)
  }

  @Test(arguments: Seed.seeds(count: 2))
  func `does so when the service is killed and starts on the same data`(
    seed: UInt64
  ) async throws {
    try await law(seed, ViewOptions(pageSize: 10, overscan: 0), kills: true)
  }

  private func law(_ seed: UInt64, _ options: ViewOptions, kills: Bool = false) async throws {
    print("SEED=\(seed)")
    var random = SeededGenerator(seed: seed)
    let service = try await Service(kills ? [] : ["--storage", "memory"])
    let direct = try service.client()
    _ = try await direct.createTree(NewTree("law"))
    let writer = RandomWriter(direct, tree: "law", seed: random.next())
    for _ in 0..<40 { try await writer.write() }
    let line = BreakingTransport(seed: random.next())
    let session = try await service.client(line)
      .createSession(NewSession(tree: "law", SessionOptions(expansion: .levels(2))))
    let reader = try await direct.openSession(session.id)
    let view = await session.view(of: Item.self, options)
    var (wanted, changes) = (view.range, 0)
    view.subscribe { change in
      changes += 1
      #expect(view.range.lowerBound == wanted.lowerBound + change.shift, "seed \(seed)")
      wanted = view.range
    }
    for _ in 0..<Self.rounds {
      var toggles: [Task<Void, any Error>] = []
      // After few changes, the last one may be the one that comes between a page and a stream.
      let most = random.oneIn(2) ? 2 : 15
      let (author, count) = (writer, random.number(in: 0...most))
      let writing = Task {
        for _ in 0..<count { try await author.write() }
      }
      for _ in 0..<random.number(in: 0...15) {
        switch random.number(in: 0...9) {
        case 0...4:
          let first = random.number(in: 0...view.rowCount + 4)
          wanted = first...first + random.number(in: 0...39)
          view.setRange(wanted)
        case 5, 6:
          guard view.rowCount > 0, let row = view.row(at: random.number(in: 0...view.rowCount - 1))
          else { continue }
          toggles.append(Task { try await toggle(row.key, session) })
        case 7: line.cut()
        default: try await Task.sleep(for: .milliseconds(random.number(in: 0...20)))
        }
      }
      if kills && random.oneIn(3) {
        // Writes that are under way are sent again with their keys.
        service.kill()
        try await service.start()
      }
      try await writing.value
      for toggle in toggles { try await toggle.value }
      try await check(view, session, reader, seed)
    }
    #expect(changes > Self.rounds)
    view.close()
  }

  private func toggle(_ key: String, _ session: TreeSession) async throws {
    do {
      try await session.toggle(key, ChangeOptions(request: RequestOptions(attempts: .max)))
    } catch let problem as TreeProblem where problem.status == 404 {}
  }

  /// Holds all that is shown against what the service reads out.
  private func check(
    _ view: TreeView<Item>,
    _ session: TreeSession,
    _ reader: TreeSession,
    _ seed: UInt64
  ) async throws {
    for _ in 0..<3_000 {
      let range = view.range
      let offset = min(range.lowerBound, try await reader.getSession().rowCount)
      var query = RowsQuery(offset: offset, limit: range.count, fields: [.index] + view.fields)
      query.ancestors = 0
      let page = try await reader.rows(query, as: Item.self)
      try await view.settled()
      // What the service knows is on its way to the view.
      guard page.revision == view.revision, view.range == range else {
        try await Task.sleep(for: .milliseconds(5))
        continue
      }
      return compare(view, page, seed)
    }
    Issue.record("the view has not the revision of the session, seed \(seed)")
  }

  /// Holds all that is shown against a page of the same revision.
  private func compare(_ view: TreeView<Item>, _ page: RowPage<Item>, _ seed: UInt64) {
    #expect(page.rowCount == view.rowCount, "seed \(seed)")
    for row in page.rows {
      #expect(row.index.flatMap { view.row(at: $0) } == row, "seed \(seed)")
      #expect(view.index(of: row.key) == row.index, "seed \(seed)")
    }
    #expect(view.row(at: view.rowCount) == nil && view.heldCount <= view.options.maxRows)
  }
}
