import Foundation
import Synchronization
import TestSupport
import Testing

@testable import TreeClient

/// An outbox on a file of a test's own, with what its service was asked.
private final class Desk: Sendable {
  let folder: TemporaryFolder
  let transport: FakeTransport
  let clock = FakeClock()

  init(_ answer: @escaping @Sendable (TreeRequest, Int) throws -> TreeResponse) throws {
    folder = try TemporaryFolder()
    transport = FakeTransport { try answer($0, $1) }
  }

  var file: URL { URL(filePath: folder.path).appending(path: "outbox") }

  /// Opens an outbox on the file.
  func open() throws -> Outbox {
    Outbox(TreeSession(try client(transport, clock), id: "s_1"), file: file)
  }

  var keys: [String] { transport.sent.compactMap { $0.headers["Idempotency-Key"] } }
}

/// A batch that names a key.
private func edit(_ key: String) -> [TreeOperation] { [.update(key, object: 1)] }

extension TreeRequest {
  /// True if the request names a key.
  fileprivate func names(_ key: String) -> Bool {
    String(decoding: body ?? Data(), as: UTF8.self).contains("\"key\":\"\(key)\"")
  }
}

@Suite(.timeLimit(.minutes(20))) struct `An outbox` {
  @Test func `sends batches in order, each kept before`() async throws {
    let desk = try Desk { _, _ in .json(FakeStream.list(0, 1)) }
    let outbox = try desk.open()
    let tickets = try await [outbox.add(edit("a")), outbox.add(edit("b"))]
    for ticket in tickets { #expect(try await ticket.answer().revision == 1) }
    #expect(desk.transport.sent.map { $0.names("a") } == [true, false])
    #expect(desk.keys == tickets.map(\.key))
    #expect(try await outbox.entries.isEmpty)
    #expect(desk.folder.bytes(of: "outbox") == [])
  }

  @Test func `keeps a batch and its key while the service is away`() async throws {
    let isAway = Mutex(20)
    let desk = try Desk { request, _ in
      try isAway.withLock { left in
        left -= 1
        if left > 0 { throw NetworkLost() }
      }
      return .json(FakeStream.list(0, 1))
    }
    let outbox = try desk.open()
    let first = try await outbox.add(edit("a"))
    let second = try await outbox.add(edit("b"))
    _ = try await first.answer()
    _ = try await second.answer()
    let keys = desk.keys
    #expect(keys.count == 21 && Set(keys.dropLast()) == [first.key] && keys.last == second.key)
  }

  @Test func `sends what an earlier process kept, as it was`() async throws {
    let desk = try Desk { _, _ in .json(FakeStream.list(0, 1)) }
    var file = OutboxFile(desk.file)
    let kept = Outbox.Entry(key: "key-of-before", operations: edit("a"), ifMatch: 3)
    try file.append(kept)
    try file.append(Outbox.Entry(key: "done", operations: edit("b"), ifMatch: nil))
    try file.remove("done")
    // A crash leaves a part of a line.
    let whole = try #require(desk.folder.bytes(of: "outbox"))
    try desk.folder.write(whole + Array(#"{"added":{"#.utf8), to: "outbox")
    let outbox = try desk.open()
    var events = outbox.events.makeAsyncIterator()
    guard case .sent(let entry, _)? = await events.next() else {
      Issue.record("nothing was sent")
      return
    }
    #expect(entry == kept)
    let request = try #require(desk.transport.sent.first)
    #expect(request.headers["Idempotency-Key"] == "key-of-before")
    #expect(request.headers["If-Match"] == "\"3\"" && request.url.query() == "changes=rows")
    #expect(desk.transport.sent.count == 1)
  }

  @Test func `removes a batch that is refused, and says so`() async throws {
    let desk = try Desk { request, _ in
      request.names("bad") ? .problem(404, "node-not-found") : .json(FakeStream.list(0, 1))
    }
    let outbox = try desk.open()
    let bad = try await outbox.add(edit("bad"))
    let good = try await outbox.add(edit("good"))
    let problem = await #expect(throws: TreeProblem.self) { _ = try await bad.answer() }
    #expect(problem?.code == "node-not-found")
    _ = try await good.answer()
    var events = outbox.events.makeAsyncIterator()
    guard case .rejected(let entry, let told)? = await events.next() else {
      Issue.record("the refusal was not told")
      return
    }
    #expect(entry.key == bad.key && entry.operations == edit("bad") && told == problem)
    #expect(try await outbox.entries.isEmpty)
  }

  @Test(arguments: [200, 302, 401, 408, 425, 429, 500, 507])
  func `keeps a batch after a refusal that may pass`(status: Int) async throws {
    let isRefused = Mutex(5)
    let desk = try Desk { _, _ in
      let left = isRefused.withLock { left in
        left -= 1
        return left
      }
      return left > 0 ? .problem(status, "some-code") : .json(FakeStream.list(0, 1))
    }
    let outbox = try desk.open()
    let ticket = try await outbox.add(edit("a"))
    _ = try await ticket.answer()
    #expect(Set(desk.keys) == [ticket.key] && desk.keys.count == 5)
    await outbox.close()
    var blocked = 0
    for await event in outbox.events { if case .blocked = event { blocked += 1 } }
    #expect(blocked == ([200, 302, 401, 425].contains(status) ? 4 : 0))
  }

  @Test func `keeps what it has when it is closed`() async throws {
    let desk = try Desk { _, _ in throw NetworkLost() }
    let outbox = try desk.open()
    let ticket = try await outbox.add(edit("a"))
    await outbox.close()
    await #expect(throws: CancellationError.self) { _ = try await ticket.answer() }
    await #expect(throws: CancellationError.self) { try await outbox.add(edit("b")) }
    #expect(try await outbox.entries.map(\.key) == [ticket.key])
    var file = OutboxFile(desk.file)
    #expect(try file.entries().map(\.key) == [ticket.key])
  }

  @Test func `tells of a file that cannot be read`() async throws {
    let desk = try Desk { _, _ in .json(FakeStream.list(0, 1)) }
    try desk.folder.write(Array("no line of an outbox\n".utf8), to: "outbox")
    let outbox = try desk.open()
    var events = outbox.events.makeAsyncIterator()
    guard case .failed? = await events.next() else {
      Issue.record("the failure was not told")
      return
    }
    await #expect(throws: (any Error).self) { try await outbox.add(edit("a")) }
    try desk.folder.write(nil, to: "outbox")
    _ = try await outbox.add(edit("a")).answer()
    #expect(desk.keys.count == 1)
  }

  @Test func `makes each batch once, whatever breaks and however often it is opened`() async throws
  {
    let service = try await Service()
    let session = try await service.client()
      .createSession(NewSession(nodes: ["root"]))
    let folder = try TemporaryFolder()
    let file = URL(filePath: folder.path).appending(path: "outbox")
    let line = BreakingTransport(seed: 1)
    let handle = TreeSession(try service.client(line), id: session.id)
    // A batch that is made twice is refused, as its key is there.
    for number in 0..<40 {
      let outbox = Outbox(handle, file: file)
      _ = try await outbox.add([.insert(NewNode("n\(number)"), into: "root", at: .first)])
      if number % 3 == 0 { line.cut() }
      await outbox.close()
    }
    let last = Outbox(handle, file: file)
    let ticket = try await last.add([.insert("last", into: "root", at: .first)])
    _ = try await ticket.answer()
    await last.close()
    for await event in last.events {
      if case .rejected(let entry, let problem) = event { Issue.record("\(entry.key): \(problem)") }
    }
    let keys = try await session.rows(RowsQuery(limit: 1000, fields: [.key])).rows.map(\.key)
    #expect(keys == ["root", "last"] + (0..<40).reversed().map { "n\($0)" })
  }
}
