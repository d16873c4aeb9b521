import Foundation
import Testing

@testable import TreeClient

/// Lets everything run that waits for nothing but other tasks.
@MainActor
private func until(_ check: () -> Bool) async {
  while !check() { try? await Task.sleep(for: .milliseconds(1)) }
}

@Suite(.timeLimit(.minutes(20)))
@MainActor
struct `A view` {
  /// A view over a service of some rows, read and followed.
  private func open(
    _ count: Int = 50,
    overscan: Int = 0,
    maxRows: Int = 10_000
  ) async throws -> (FakeService, TreeView<Int>) {
    let service = FakeService(count)
    let options = ViewOptions(
      pageSize: 10,
      overscan: overscan,
      maxRows: maxRows,
      heartbeat: .seconds(3_600)
    )
    let view = try await service.session().view(of: Int.self, options)
    try await view.settled()
    return (service, view)
  }

  private func keys(_ view: TreeView<Int>) -> [String?] {
    view.range.map { view.row(at: $0)?.key }
  }

  private func names(_ range: ClosedRange<Int>) -> [String?] { range.map { "k\($0)" } }

  @Test func `reads the first rows, then follows`() async throws {
    let (service, view) = try await open()
    #expect(view.status == .live && view.rowCount == 50 && view.revision == 0)
    #expect(keys(view) == names(0...9))
    #expect(view.index(of: "k3") == 3 && view.index(of: "k30") == nil && view.row(at: 30) == nil)
    #expect(service.reads == ["0+10"])
  }

  @Test func `reads a range with one request, and not what it holds`() async throws {
    let (service, view) = try await open()
    view.setRange(23...37)
    #expect(view.row(at: 23) == nil)
    try await view.settled()
    #expect(keys(view) == names(23...37) && service.reads.dropFirst() == ["20+20"])
    var told = 0
    view.subscribe { _ in told += 1 }
    view.setRange(25...35)
    try await view.settled()
    #expect(service.reads.count == 2 && told == 0)
    view.setRange(35...44)
    try await view.settled()
    #expect(service.reads.count == 3 && told == 1)
  }

  @Test func `reads what is shown first, then what is around it`() async throws {
    let (service, view) = try await open(100, overscan: 1)
    view.setRange(50...59)
    try await view.settled()
    #expect(service.reads.suffix(2) == ["50+10", "40+30"])
  }

  @Test func `takes the changes that a page tells, once`() async throws {
    let (service, view) = try await open()
    service.insert(["new"], at: 0)
    view.setRange(10...14)
    try await view.settled()
    // The row that was at 10 is held in place.
    #expect(view.revision == 1 && view.range == 11...15 && keys(view) == names(10...14))
    service.tell()
    service.update(40, 7)
    service.tell()
    await until { view.revision == 2 }
    #expect(view.rowCount == 51 && keys(view) == names(10...14))
  }

  @Test func `reads an update of what is shown; one elsewhere costs nothing`() async throws {
    let (service, view) = try await open()
    service.update(40, 5)
    service.tell()
    await until { view.revision == 1 }
    #expect(service.reads.count == 1)
    service.update(4, 6)
    service.tell()
    await until { view.row(at: 4)?.object == 6 }
    #expect(service.reads == ["0+10", "4+1"])
  }

  @Test func `keeps in place what is looked at, or the row of its anchor`() async throws {
    let (service, view) = try await open()
    view.setRange(20...24)
    try await view.settled()
    var shifts: [Int] = []
    view.subscribe { if $0.shift != 0 { shifts.append($0.shift) } }
    service.insert(["a", "b", "c"], at: 5)
    service.tell()
    await until { view.revision == 1 }
    service.remove(0..<2)
    service.tell()
    await until { view.revision == 2 }
    #expect(view.range == 21...25 && keys(view) == names(20...24) && shifts == [3, -2])
    view.anchor = "k23"
    service.insert(["d"], at: 23)
    service.tell()
    await until { view.revision == 3 }
    try await view.settled()
    #expect(keys(view) == ["k21", "d", "k22", "k23", "k24"])
    view.anchor = nil
    view.setRange(0...4)
    service.insert(["top"], at: 0)
    service.tell()
    await until { view.revision == 4 }
    #expect(view.range == 0...4)
  }

  @Test func `reads all anew after a reset, and where history is gone`() async throws {
    let (service, view) = try await open()
    let stream = try #require(await service.stream())
    service.remove(0..<5)
    service.forgetHistory()
    stream.event("reset", #"{"revision": 1, "rowCount": 45}"#)
    await until { view.revision == 1 }
    try await view.settled()
    #expect(keys(view) == names(5...14))
    service.remove(0..<5)
    service.forgetHistory()
    view.setRange(20...24)
    try await view.settled()
    #expect(view.revision == 2 && keys(view) == names(30...34) && view.row(at: 0) == nil)
  }

  @Test func `tolerates a list that shrinks below what is shown`() async throws {
    let (service, view) = try await open()
    view.setRange(45...49)
    try await view.settled()
    service.remove(3..<50)
    service.tell()
    await until { view.revision == 1 }
    try await view.settled()
    #expect(view.rowCount == 3 && view.status == .live)
    view.setRange(0...4)
    try await view.settled()
    #expect(keys(view) == names(0...2) + [nil, nil])
    // Far beyond the end, and beyond all numbers.
    for range in [400...500, 3...3, (.max - 1)...(.max), -7...2] {
      view.setRange(range)
      try await view.settled()
    }
    #expect(view.range == 0...2)
  }

  @Test func `waits for a service that is away`() async throws {
    let (service, view) = try await open()
    let stream = try #require(await service.stream())
    service.setAway(true)
    stream.fail()
    view.setRange(20...24)
    await until { view.status == .offline }
    service.setAway(false)
    try await view.settled()
    await until { view.status == .live }
    #expect(keys(view) == names(20...24))
  }

  @Test func `tries at once when it is resumed`() async throws {
    let (service, view) = try await open()
    let stream = try #require(await service.stream())
    service.setAway(true)
    let isWaiting = service.clock.stop()
    stream.fail()
    await isWaiting.wait()
    service.setAway(false)
    #expect(view.status == .offline)
    view.isPaused = true
    view.isPaused = false
    await until { view.status == .live }
  }

  @Test func `asks for nothing while it is paused, and catches up`() async throws {
    let (service, view) = try await open()
    let stream = try #require(await service.stream())
    view.isPaused = true
    await stream.left()
    #expect(view.status == .paused)
    service.insert(["a"], at: 0)
    service.update(3, 9)
    view.setRange(0...9)
    #expect(service.reads.count == 1)
    view.isPaused = false
    try await view.settled()
    #expect(view.status == .live && keys(view) == ["a"] + names(0...8))
    #expect(view.row(at: 3)?.object == 9)
  }

  @Test func `fails when the session has ended, and asks for nothing any more`() async throws {
    let (service, view) = try await open()
    let stream = try #require(await service.stream())
    stream.event("end", #"{"code": "tree-not-found", "detail": "The tree is gone."}"#)
    let problem = await #expect(throws: TreeProblem.self) {
      while true {
        try await view.settled()
        await Task.yield()
      }
    }
    #expect(problem?.code == "tree-not-found")
    guard case .failed = view.status else {
      Issue.record("\(view.status)")
      return
    }
    view.setRange(30...34)
    #expect(service.reads.count == 1)
  }

  @Test func `holds no more rows than it may`() async throws {
    let (_, view) = try await open(500, maxRows: 40)
    for first in stride(from: 0, to: 480, by: 10) {
      view.setRange(first...first + 9)
      try await view.settled()
      #expect(view.heldCount <= 40 && view.row(at: first + 9)?.key == "k\(first + 9)")
    }
    view.setRange(0...499)
    try await view.settled()
    #expect(view.range == 0...39)
  }

  @Test func `reads each page once, even if it may not hold all around it`() async throws {
    let (service, view) = try await open(100, maxRows: 40)
    view.setRange(10...19)
    try await view.settled()
    view.setRange(20...59)
    for _ in 0..<1_000 { await Task.yield() }
    try #require(service.reads == ["0+10", "10+10", "20+40"])
    try await view.settled()
    #expect(keys(view) == names(20...59) && view.heldCount == 40)
    let (other, small) = try await open(100, maxRows: 4)
    #expect(keys(small) == names(0...3) && other.reads == ["0+4"])
  }

  @Test func `keeps its settings in their ranges`() async throws {
    var options = ViewOptions(pageSize: 1_500, overscan: -1, maxRows: 0)
    #expect(options.pageSize == 1_000 && options.overscan == 0 && options.maxRows == 1)
    options.pageSize = 0
    #expect(options.pageSize == 1)
    (options.pageSize, options.overscan, options.maxRows) = (1_500, .max, .max)
    #expect(options.pageSize == 1_000)
    let service = FakeService(50)
    let view = try await service.session().view(of: Int.self, options)
    try await view.settled()
    view.setRange(5...(.max))
    try await view.settled()
    #expect(view.row(at: 49)?.key == "k49" && service.reads == ["0+1000"])
  }

  @Test func `tells nothing when it is closed, and ends when nobody holds it`() async throws {
    let (service, view) = try await open()
    let stream = try #require(await service.stream())
    var told = 0
    view.subscribe { _ in told += 1 }
    view.close()
    await stream.left()
    view.setRange(20...30)
    try await view.settled()
    #expect(told == 0 && service.reads.count == 1)

    var other: TreeView<Int>? = try await service.session().view(of: Int.self)
    try await other?.settled()
    let second = try #require(await service.stream())
    other = nil
    await second.left()
  }
}
