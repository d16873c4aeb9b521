import Foundation
import Synchronization
import Testing

@testable import TreeClient

extension ChangeEvent {
  /// The revision and the number of rows of a reset.
  fileprivate var reset: [Int]? {
    guard case .reset(let revision, let rowCount) = self else { return nil }
    return [revision, rowCount]
  }
}

@Suite(.timeLimit(.minutes(20))) struct `A session that is followed` {
  @Test func `tells lists as they are streamed`() async throws {
    let service = Follower()
    var news = try service.follow()
    let stream = try await service.stream()
    stream.send(": hello\n\n")
    stream.list(0, 1)
    #expect(try await news.next()?.revision == 1)
    #expect(service.states.withLock { $0 } == [.live])
    let request = try #require(service.transport.sent.first)
    #expect(request.isOfStream && request.url.query() == "interval=250&since=0")
  }

  @Test func `misses nothing if it breaks before the first list`() async throws {
    let service = Follower { request in
      request.isOfStream ? nil : .json(#"{"revision": 4}"#)
    }
    let session = TreeSession(try client(service.transport, service.clock), id: "s_1")
    var news = session.changes().makeAsyncIterator()
    try await service.stream().fail()
    try await service.stream().list(4, 6)
    #expect(try await news.next()?.revision == 6)
    let sinces = service.transport.sent.filter { $0.isOfStream }.map { $0.url.query() }
    #expect(sinces == ["since=4", "since=4"])
  }

  @Test func `ends its connection when nobody iterates any more`() async throws {
    let service = Follower()
    var news: ChangeSequence<JSONValue>.Iterator? = try service.follow()
    let stream = try await service.stream()
    stream.list(0, 1)
    _ = try await news?.next()
    news = nil
    await stream.left()
  }

  @Test func `goes on behind the last list after a break; half an event is none`() async throws {
    let service = Follower()
    var news = try service.follow()
    let first = try await service.stream()
    first.send("retry: 3000\n\n")
    first.list(0, 1)
    #expect(try await news.next()?.revision == 1)
    first.send("event: changes\ndata: \(FakeStream.list(1, 2))\n")
    first.fail()
    let second = try await service.stream()
    #expect(service.transport.sent[1].url.query() == "interval=250&since=1")
    second.list(1, 3)
    #expect(try await news.next()?.revision == 3)
    #expect(service.states.withLock { $0 } == [.live, .offline, .live])
  }

  @Test func `is told one net list by one who is slow`() async throws {
    let service = Follower { request in
      request.isOfStream ? nil : .json(FakeStream.list(1, 90))
    }
    var news = try service.follow()
    let stream = try await service.stream()
    stream.list(0, 1)
    #expect(try await news.next()?.revision == 1)
    for revision in 1..<90 { stream.list(revision, revision + 1) }
    // An event that is heard of behind them shows that they were all read.
    stream.end()
    let next = try await service.stream()
    var event = try await news.next()
    #expect(event?.revision == 90)
    if case .changes(let list) = event { #expect(list.previousRevision == 1) }
    let asked = service.transport.sent.filter { !$0.isOfStream }
    #expect(asked.map { $0.url.query() } == ["since=1"])
    next.list(90, 91)
    event = try await news.next()
    #expect(event?.revision == 91)
  }

  @Test func `asks again for a net list that does not come for two heartbeats`() async throws {
    let asked = Mutex(0)
    let service = Follower { request in
      if request.isOfStream { return nil }
      let isFirst = asked.withLock { count in
        count += 1
        return count == 1
      }
      if isFirst { try await Task.sleep(for: .seconds(3_600)) }
      return .json(FakeStream.list(0, 3))
    }
    var news = try service.follow(heartbeat: .milliseconds(500))
    let stream = try await service.stream()
    for revision in 0..<3 { stream.list(revision, revision + 1) }
    // An event that is heard of behind them shows that they were all read.
    stream.end()
    let next = try await service.stream()
    #expect(try await news.next()?.revision == 3)
    #expect(asked.withLock { $0 } == 2)
    _ = next
  }

  @Test func `gives up a connection that says nothing for two heartbeats`() async throws {
    let silent = FakeStream()
    let isFirst = Mutex(true)
    let service = Follower { _ in
      let first = isFirst.withLock { first in
        defer { first = false }
        return first
      }
      if first { return silent.response }
      let stream = FakeStream()
      stream.list(0, 1)
      return stream.response
    }
    var news = try service.follow(heartbeat: .milliseconds(100))
    #expect(try await news.next()?.revision == 1)
    await silent.left()
  }

  @Test func `is polled after three connections that last under a second`() async throws {
    let polls = Mutex(0)
    let service = Follower { request in
      if request.isOfStream {
        let stream = FakeStream()
        stream.end()
        return stream.response
      }
      let count = polls.withLock { count in
        count += 1
        return count
      }
      if count > 2 { try await Task.sleep(for: .seconds(3_600)) }
      // An empty list is none.
      return .json(FakeStream.list(0, count - 1))
    }
    var news = try service.follow()
    #expect(try await news.next()?.revision == 1)
    let sent = service.transport.sent
    #expect(sent.prefix { $0.isOfStream }.count >= 3)
    // The first answer does not wait, and shows that the service is there.
    let polled = sent.filter { !$0.isOfStream }.compactMap { $0.url.query() }
    #expect(polled.prefix(2) == ["since=0&wait=0", "since=0&wait=25"])
    #expect(service.states.withLock { $0.last } == .polling)
  }

  @Test func `takes refused connections for no short ones`() async throws {
    let isDown = Mutex(12)
    let service = Follower { _ in
      try isDown.withLock { left in
        left -= 1
        if left > 0 { throw NetworkLost() }
      }
      return nil
    }
    var news = try service.follow()
    try await service.stream().list(0, 1)
    #expect(try await news.next()?.revision == 1)
    let polls = service.transport.sent.filter { !$0.isOfStream }
    #expect(polls.isEmpty)
    #expect(service.clock.waits.count == 11)
  }

  @Test func `tells a reset, and a history that is gone`() async throws {
    let gone = #", "revision": 7, "rowCount": 3"#
    let service = Follower { request in
      guard request.url.query() == "interval=250&since=9" else { return nil }
      return .problem(410, "history-expired", gone)
    }
    var news = try service.follow()
    let first = try await service.stream()
    first.event("reset", #"{"session": "s_1", "revision": 9, "rowCount": 4}"#)
    #expect(try await news.next()?.reset == [9, 4])
    first.fail()
    #expect(try await news.next()?.reset == [7, 3])
    let second = try await service.stream()
    #expect(service.transport.sent.last?.url.query() == "interval=250&since=7")
    second.list(7, 8)
    #expect(try await news.next()?.revision == 8)
  }

  @Test func `fails when it has ended; a service that stops is followed again`() async throws {
    let service = Follower()
    var news = try service.follow()
    let first = try await service.stream()
    first.event("end", #"{"code": "shutting-down", "detail": "The service stops."}"#)
    let second = try await service.stream()
    second.event("end", #"{"code": "session-expired", "detail": "It lay idle."}"#)
    let problem = await #expect(throws: TreeProblem.self) { try await news.next() }
    #expect(problem?.code == "session-expired" && problem?.isRetryable == false)

    let unknown = Follower { _ in .problem(404, "session-not-found") }
    var none = try unknown.follow()
    let refusal = await #expect(throws: TreeProblem.self) { try await none.next() }
    #expect(refusal?.code == "session-not-found" && unknown.transport.sent.count == 1)
  }

  @Test func `ends without an error when its task is cancelled`() async throws {
    let service = Follower()
    let task = Task {
      var news = try service.follow()
      return try await news.next()?.revision
    }
    let stream = try await service.stream()
    task.cancel()
    #expect(try await task.value == nil)
    await stream.left()
  }
}
