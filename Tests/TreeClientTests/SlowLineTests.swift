import Foundation
import TestSupport
import Testing

@testable import TreeClient

@Suite(.serialized, .timeLimit(.minutes(20)))
@MainActor
struct `A view on a slow line` {
  /// A reason to read all rows anew.
  enum Loss: CaseIterable, Sendable {
    case connection
    case reset
    case history
  }

  private func open(_ service: FakeService, _ pageSize: Int = 10) async throws -> TreeView<Int> {
    let options = ViewOptions(pageSize: pageSize, overscan: 0, heartbeat: .seconds(3_600))
    let view = try await service.session().view(of: Int.self, options)
    try await view.settled()
    return view
  }

  @Test(arguments: Loss.allCases)
  func `misses no change between a page and the stream after it`(loss: Loss) async throws {
    let service = FakeService(50)
    let view = try await open(service)
    let stream = try #require(await service.stream())
    service.insert(["first"], at: 0)
    try await expectCurrent(view, service)
    service.line.hold(.page)
    switch loss {
    case .connection:
      // A revision that a page told may be lost in a crash, so it is read anew.
      service.insert(["second"], at: 0)
      service.line.release()
      view.setRange(20...29)
      try await view.settled()
      service.line.hold(.page)
      service.line.hold(.stream)
    case .reset:
      service.reset()
      service.line.hold(.stream)
      await service.line.waitUntilHeld(.page)
    case .history:
      service.insert(["second"], at: 0)
      service.forgetHistory()
    }
    stream.fail()
    await service.line.waitUntilHeld(.page)
    // A stream that does not wait for the page is asked for before the change, and opened after it.
    await breathe()
    service.insert(["new"], at: 0)
    service.line.release()
    try await expectCurrent(view, service)
  }

  @Test func `has the rows of its own change with the answer, even if an event comes first`()
    async throws
  {
    let service = FakeService(50)
    let view = try await open(service)
    _ = service.clock.stop()
    service.line.hold(.answer)
    let write = Task { try await view.session.insert("own", at: .first) }
    await service.line.waitUntilHeld(.answer)
    await breathe()
    #expect(view.revision == 0)
    var lacked = false
    view.subscribe { _ in lacked = lacked || view.row(at: 0) == nil }
    service.line.release()
    _ = try await write.value
    try await view.settled()
    #expect(view.row(at: 0)?.key == "own" && view.row(at: 9)?.key == "k8")
    #expect(!lacked && service.reads == ["0+10"])
  }

  @Test func `does not wait long for an answer`() async throws {
    let service = FakeService(50)
    let view = try await open(service)
    service.line.hold(.answer)
    let write = Task { try await view.session.insert("own", at: .first) }
    await service.line.waitUntilHeld(.answer)
    while view.row(at: 0)?.key != "own" { await breathe() }
    #expect(service.clock.waits.contains(0.3))
    service.line.release()
    _ = try await write.value
  }

  @Test func `takes no page that was on its way before a crash`() async throws {
    let service = FakeService(50)
    let view = try await open(service)
    service.line.hold(.page)
    service.insert(["lost"], at: 0)
    view.setRange(20...29)
    await service.line.waitUntilHeld(.page)
    service.crash()
    await breathe()
    service.insert(["other"], at: 3)
    service.line.release()
    try await expectCurrent(view, service)
  }

  @Test func `takes a revision that comes again after a crash`() async throws {
    let service = FakeService(50)
    let view = try await open(service)
    service.insert(["lost"], at: 0)
    view.setRange(20...29)
    try await view.settled()
    #expect(view.revision == 1)
    service.crash()
    try await expectCurrent(view, service)
    service.insert(["other"], at: 3)
    try await expectCurrent(view, service)
  }

  @Test func `notices a stream from a revision that a crash took back`() async throws {
    let service = FakeService(50)
    let view = try await open(service)
    service.insert(["lost"], at: 0)
    view.setRange(20...29)
    try await view.settled()
    #expect(view.revision == 1)
    service.line.hold(.stream)
    service.cut()
    await service.line.waitUntilHeld(.stream)
    service.crash(resends: true)
    // The first page is of no use. The second one leaves before the next change, and comes late.
    service.line.hold(.page)
    view.setRange(30...39)
    await service.line.waitUntilHeld(.page)
    service.line.release([.page])
    service.line.hold(.page)
    await service.line.waitUntilHeld(.page)
    service.insert(["other"], at: 3)
    service.line.release([.stream])
    await breathe()
    service.line.release()
    try await expectCurrent(view, service)
  }

  @Test func `shows in the end what the service has, whatever comes late`() async throws {
    for seed in Seed.seeds(count: 60) { try await law(seed) }
  }

  private func law(_ seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let service = FakeService(30)
    let view = try await open(service)
    var keys = 0
    for _ in 0..<Seed.operations(default: 6) {
      for _ in 0..<random.number(in: 1...8) {
        step(&random, service, view, &keys)
        if random.oneIn(3) { await breathe(random.number(in: 1...40)) }
      }
      service.line.release()
      try await expectCurrent(view, service, "seed \(seed)")
    }
    view.close()
  }

  private func step(
    _ random: inout SeededGenerator,
    _ service: FakeService,
    _ view: TreeView<Int>,
    _ keys: inout Int
  ) {
    let count = service.rows.rows.count
    switch random.number(in: 0...15) {
    case 0...3:
      keys += 1
      service.insert(["n\(keys)"], at: random.number(in: 0...count))
    case 4 where count > 10:
      let first = random.number(in: 0...count - 2)
      service.remove(first..<first + 2)
    case 5: service.update(random.number(in: 0...count - 1), random.number(in: 1...9))
    case 6, 7: service.tell()
    case 8: service.line.hold(.page)
    case 9: service.line.hold(.stream)
    case 10: service.line.release()
    case 11: service.cut()
    case 12: service.reset()
    case 13: service.forgetHistory()
    case 14: service.crash()
    default:
      let first = random.number(in: 0...count + 3)
      view.setRange(first...first + 9)
    }
  }

  /// Lets other tasks run.
  private func breathe(_ turns: Int = 300) async {
    for _ in 0..<turns { await Task.yield() }
  }

  /// Waits until a view is live at the revision of the service, and compares the rows.
  ///
  /// A view that has not noticed a broken stream yet may be at that revision by chance.
  private func expectCurrent(
    _ view: TreeView<Int>,
    _ service: FakeService,
    _ comment: Comment = ""
  ) async throws {
    for _ in 0..<3_000 {
      service.tell()
      try await view.settled()
      let (revision, rows) = service.rows
      // An event may have come since the view was settled.
      let isSettled = view.pulling == nil && view.queue.isEmpty
      guard isSettled, service.isFollowed, view.status == .live, view.revision == revision else {
        try await Task.sleep(for: .milliseconds(1))
        continue
      }
      let shown = view.range.map { index in
        view.row(at: index).map { "\($0.key) \($0.object ?? 0)" }
      }
      let expected = view.range.map { rows.indices.contains($0) ? rows[$0] : nil }
      #expect(view.rowCount == rows.count && shown == expected, comment)
      return
    }
    Issue.record("the view is \(view.status) at \(view.revision ?? -1). \(comment)")
  }
}
