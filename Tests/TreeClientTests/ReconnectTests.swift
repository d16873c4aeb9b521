import Foundation
import Synchronization
import Testing

@testable import TreeClient

/// A count that tasks share.
private final class Count: Sendable {
  private let value = Mutex(0)

  var current: Int { value.withLock { $0 } }

  /// Counts one more, and returns how many there are.
  func next() -> Int {
    value.withLock { value in
      value += 1
      return value
    }
  }
}

@Suite(.timeLimit(.minutes(20))) struct `A lost connection` {
  @Test func `that was live for a while is replaced soon, however often`() async throws {
    let service = Follower(FakeClock(draw: 1))
    let news = try service.follow()
    for _ in 0..<5 {
      let stream = try await service.stream()
      stream.send(": hello\n\n")
      await service.waitUntilLive()
      service.clock.advance(by: .seconds(2))
      stream.end()
    }
    _ = try await service.stream()
    #expect(service.clock.waits == [1, 1, 1, 1, 1])
    _ = news
  }

  @Test func `of polls without news is replaced soon, too`() async throws {
    let polls = Count()
    let service = Follower(FakeClock(draw: 1)) { request in
      if request.isOfStream {
        let stream = FakeStream()
        stream.end()
        return stream.response
      }
      let count = polls.next()
      if count > 8 { try await Task.sleep(for: .seconds(3_600)) }
      if count.isMultiple(of: 2) { throw NetworkLost() }
      return .json(FakeStream.list(0, count == 7 ? 1 : 0))
    }
    var news = try service.follow()
    #expect(try await news.next()?.revision == 1)
    // Two after streams; then one after each poll that failed.
    #expect(service.clock.waits.prefix(5) == [1, 2, 1, 1, 1])
  }

  @Test func `is polled no more often than the interval allows`() async throws {
    let polls = Count()
    let service = Follower { request in
      if request.isOfStream {
        let stream = FakeStream()
        stream.end()
        return stream.response
      }
      let count = polls.next()
      if count > 4 { try await Task.sleep(for: .seconds(3_600)) }
      return .json(FakeStream.list(count - 1, count))
    }
    var news = try service.follow()
    while try await news.next()?.revision != 4 {}
    #expect(service.clock.waits.dropFirst(2).prefix(3) == [0.25, 0.25, 0.25])
  }

  @Test func `that is polled becomes a stream again when streams last`() async throws {
    let polls = Count()
    let streams = Count()
    let clock = FakeClock(draw: 0)
    let service = Follower(clock) { request in
      if request.isOfStream {
        // The fourth one, after the first polls, fails as well.
        if streams.next() > 4 { return nil }
        let stream = FakeStream()
        stream.end()
        return stream.response
      }
      clock.advance(by: .seconds(100))
      let count = polls.next()
      return .json(FakeStream.list(count - 1, count))
    }
    var news = try service.follow()
    let stream = try await service.stream()
    #expect(service.transport.sent.filter(\.isOfStream).count == 5)
    #expect(service.states.withLock { $0 }.filter { $0 == .offline }.count == 2)
    let count = polls.current
    #expect(count == 6)
    stream.list(count, count + 1)
    while try await news.next()?.revision != count + 1 {}
  }

  @Test func `is replaced as soon as another request is answered`() async throws {
    let isDown = Mutex(false)
    let service = Follower { request in
      if isDown.withLock({ $0 }) { throw NetworkLost() }
      return request.isOfStream ? nil : .json(#"{"revision": 1}"#)
    }
    let session = try service.session()
    var news = try service.follow(session)
    let first = try await service.stream()
    let isWaiting = service.clock.stop()
    isDown.withLock { $0 = true }
    first.fail()
    await isWaiting.wait()
    isDown.withLock { $0 = false }
    #expect(try await session.newest() == 1)
    let second = try await service.stream()
    second.list(0, 1)
    #expect(try await news.next()?.revision == 1)
  }

  @Test func `is not replaced before the service allows it`() async throws {
    let streams = Count()
    let service = Follower { request in
      guard request.isOfStream else { return .json(#"{"revision": 1}"#) }
      let headers = ["Retry-After": "9"]
      return streams.next() == 1 ? .problem(503, "overloaded", headers: headers) : nil
    }
    let session = try service.session()
    let isWaiting = service.clock.stop()
    let news = try service.follow(session)
    await isWaiting.wait()
    #expect(try await session.newest() == 1)
    for _ in 0..<300 { await Task.yield() }
    #expect(service.clock.waits == [9] && streams.current == 1)
    _ = news
  }

  @Test func `waits in full when streams alone fail`() async throws {
    let streams = Count()
    let service = Follower { request in
      guard request.isOfStream else { return .json(#"{"revision": 1}"#) }
      _ = streams.next()
      throw NetworkLost()
    }
    let session = try service.session()
    let isWaiting = service.clock.stop()
    let news = try service.follow(session)
    await isWaiting.wait()
    while streams.current < 2 || service.clock.waits.count < 2 {
      #expect(try await session.newest() == 1)
    }
    for _ in 0..<20 {
      #expect(try await session.newest() == 1)
      for _ in 0..<50 { await Task.yield() }
    }
    // The second wait is not cut short.
    #expect(streams.current == 2 && service.clock.waits.count == 2)
    _ = news
  }

  @Test func `starts with the wait that the service gives, and grows from 1 s`() async throws {
    let isDown = Mutex(false)
    let service = Follower(FakeClock(draw: 1)) { _ in
      if isDown.withLock({ $0 }) { throw NetworkLost() }
      return nil
    }
    let news = try service.follow()
    let stream = try await service.stream()
    stream.send("retry: 3000\n\n")
    stream.list(0, 1)
    var iterator = news
    _ = try await iterator.next()
    isDown.withLock { $0 = true }
    stream.fail()
    while service.clock.waits.count < 6 { await Task.yield() }
    #expect(service.clock.waits.prefix(6) == [3, 3, 4, 8, 16, 32])
  }
}
